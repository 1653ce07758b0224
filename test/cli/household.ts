import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { type Daemon, openDaemon } from "../../src/recorder/daemon.ts";
import { emptyDocument } from "../../src/recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../../src/recorder/engine/runtime/document-format.ts";
import { openDocumentStore } from "../../src/recorder/store/document-store.ts";
import { emptyLibrary, LIBRARY_FORMAT } from "../../src/recorder/subsystems/library/core/document.ts";
import { ended, entry, NOW, recording } from "../recorder/subsystems/library/entries.ts";

const NOBODY = "http://127.0.0.1:9";

export interface Household extends AsyncDisposable {
  readonly folder: string;
  readonly socket: string;
  /** The file of the one recording that there is. */
  readonly file: string;
  readonly daemon: Daemon;
}

/** A daemon that knows two timers and has recorded one show. */
export async function household(
  folder: string,
  { secretsFile }: { readonly secretsFile?: string } = {},
): Promise<Household> {
  const [data, recordings] = [join(folder, "data"), join(folder, "recordings")];
  const file = join(recordings, "One.ts");
  for (const path of [data, recordings]) await mkdir(path);
  await writeFile(file, Buffer.alloc(10_000, "recorded"));
  await writeFile(join(recordings, "One.nfo"), "<movie/>");
  await using document = await openDocumentStore({
    file: join(data, "document.json"),
    ...DOCUMENT_FORMAT,
    empty: () => emptyDocument(NOW),
  });
  const two = recording("two", {
    name: "Two\u001b[2J",
    reported: { state: "waiting", message: "Scheduled." },
  });
  await document.commit({ ...document.current, recordings: { one: ended("one"), two } });
  await using library = await openDocumentStore({
    file: join(data, "library.json"),
    ...LIBRARY_FORMAT,
    empty: emptyLibrary,
  });
  const one = entry("one", { file, bytes: 10_000 });
  await library.commit({ ...library.current, entries: { one }, knownFolders: [recordings] });
  const socket = join(folder, "control.sock");
  const config = Config.parse({
    guide: { url: NOBODY, regionId: 1 },
    recordings: { folder: recordings },
    tuners: [{ kind: "mock", id: "sim", broadcaster: NOBODY }],
    data: { folder: data },
    control: { socket },
  });
  const daemon = await openDaemon(config, {
    clock: systemClock(),
    log: silentLog,
    ...(secretsFile === undefined ? {} : { secretsFile }),
  });
  return { folder, socket, file, daemon, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}
