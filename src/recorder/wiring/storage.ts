import { lockFolder } from "../../kit/files/lock.ts";
import { finishStaging } from "../../kit/files/staged-files.ts";
import type { WorkRegister } from "../../model/ports.ts";
import type { Recording } from "../../model/recording.ts";
import { type DaemonDocument, emptyDocument } from "../engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../engine/runtime/document-format.ts";
import type { DocumentStore } from "../store/document-store.ts";
import type { Ledger } from "../store/ledger.ts";
import type { SignOfLife } from "../store/sign-of-life.ts";
import { type StateStore, stateInFolder } from "../store/state-store.ts";
import { hasHistory } from "../store/timer-facts.ts";
import { writeBehind } from "../store/write-behind.ts";
import { openSetAside, type SetAsideDesk } from "../subsystems/power/set-aside.ts";
import type { DaemonBase, DaemonParts } from "./base.ts";

/** The data folder, locked, and the state of the recorder. */
export interface Storage {
  readonly state: StateStore;
  readonly store: DocumentStore<DaemonDocument>;
  readonly ledger: Ledger;
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

/**
 * @throws RecorderdError STORE_LOCKED, STORE_DAMAGED or STORE_TOO_NEW; STORE_WRITE_FAILED while the database of a fleet
 * is away
 */
export async function openStorage(
  { folder, startedAt, disposeLater, clock, log }: DaemonBase,
  { state: shared, onWork = () => {} }: Pick<DaemonParts, "state" | "onWork">,
): Promise<Storage> {
  if (shared === undefined) disposeLater(await lockFolder(folder));
  if (await finishStaging(folder)) log.info("an interrupted restore was completed", { folder });
  const state = shared ?? stateInFolder(folder);
  const setAside = await openSetAside(folder, { clock, log });
  const register: WorkRegister = { begin: onWork, isSetAside: setAside.isSetAside };
  register.begin({ kind: "stored-document", subject: "document.json" });
  const document = disposeLater(
    await state.openDocument("document", {
      ...DOCUMENT_FORMAT,
      empty: () => emptyDocument(startedAt),
      onDamage: (text) => log.error(text),
    }),
  );
  const opened = { store: document, ledger: disposeLater(await state.openLedger()) };
  // The disk of a data folder that takes nothing would not take a recording either.
  const { store, ledger } = shared === undefined ? opened : writeBehind(opened, clock);
  if (store !== document) disposeLater(store);
  if (store.openedFrom === "nothing" && (await hasHistory(state.readLedger))) {
    log.error(
      "document.json is missing, but the ledger exists: the recorder starts without its plan and its earlier recordings. Restore a backup if there is one.",
      { folder: state.place },
    );
  }
  const signOfLife = await state.openSignOfLife(clock);
  return { state, store, ledger, signOfLife, setAside, register };
}
