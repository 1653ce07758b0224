import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { lockFolder } from "../../kit/files/lock.ts";
import { finishStaging } from "../../kit/files/staged-files.ts";
import type { WorkRegister } from "../../model/ports.ts";
import type { Recording } from "../../model/recording.ts";
import type { Work } from "../../model/set-aside.ts";
import { type DaemonDocument, emptyDocument } from "../engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../engine/runtime/document-format.ts";
import { type DocumentStore, openDocumentStore } from "../store/document-store.ts";
import { hasHistory } from "../store/history.ts";
import { type Ledger, openLedger } from "../store/ledger.ts";
import { openSignOfLife, type SignOfLife } from "../store/sign-of-life.ts";
import { openSetAside, type SetAsideDesk } from "../subsystems/power/set-aside.ts";
import type { DaemonBase } from "./base.ts";

/** The data folder, locked, and its contents. */
export interface Storage {
  readonly store: DocumentStore<DaemonDocument>;
  readonly ledger: Ledger;
  readonly ledgerFolder: string;
  readonly signOfLife: SignOfLife;
  /** Work that starved an earlier run. */
  readonly setAside: SetAsideDesk;
  readonly register: WorkRegister;
}

/** A recording of the document. People may ask for any word, even one that every object has as a property. */
export function storedRecording({ store }: Pick<Storage, "store">, id: string): Recording | undefined {
  const { recordings } = store.current;
  return Object.hasOwn(recordings, id) ? recordings[id] : undefined;
}

/** @throws RecorderdError STORE_LOCKED, STORE_DAMAGED or STORE_TOO_NEW */
export async function openStorage(
  { folder, startedAt, disposeLater, clock, log }: DaemonBase,
  { onWork = () => {} }: { readonly onWork?: ((work: Work) => void) | undefined },
): Promise<Storage> {
  disposeLater(await lockFolder(folder));
  if (await finishStaging(folder)) log.info("an interrupted restore is now complete", { folder });
  const setAside = await openSetAside(folder, { clock, log });
  const register: WorkRegister = { begin: onWork, isSetAside: setAside.isSetAside };
  register.begin({ kind: "stored-document", subject: "document.json" });
  const store = disposeLater(
    await openDocumentStore({
      file: join(folder, "document.json"),
      ...DOCUMENT_FORMAT,
      empty: () => emptyDocument(startedAt),
      onDamage: (text) => log.error(text),
    }),
  );
  const ledgerFolder = join(folder, "ledger");
  await mkdir(ledgerFolder, { recursive: true, mode: 0o750 });
  const ledger = disposeLater(await openLedger({ folder: ledgerFolder }));
  if (store.openedFrom === "nothing" && (await hasHistory(ledgerFolder))) {
    log.error(
      "document.json is missing, but the ledger exists: the recorder starts without its plan and its earlier recordings. Restore a backup if there is one.",
      { folder },
    );
  }
  const signOfLife = await openSignOfLife(join(folder, "alive"), clock);
  return { store, ledger, ledgerFolder, signOfLife, setAside, register };
}
