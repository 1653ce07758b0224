import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { DaemonDocument } from "../src/recorder/engine/core/document.ts";
import { emptyDocument } from "../src/recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../src/recorder/engine/runtime/document-format.ts";
import { type DocumentStore, openDocumentStore } from "../src/recorder/store/document-store.ts";
import { type Benchmark, type Case, elapsedMs, mib, ms, quantile } from "./harness.ts";
import { documentWithHistory } from "./world.ts";

const SIZES = [100, 1000, 10_000];
const COMMITS = 10;

/** From a changed document to its being on the disk. */
export const commitBenchmark: Benchmark = {
  name: "commit",
  open: async (folder) => {
    const stores: DocumentStore<DaemonDocument>[] = [];
    const cases: Case[] = [];
    for (const size of SIZES) {
      const file = join(folder, `document-${size}.json`);
      const store = await openDocumentStore({
        file,
        ...DOCUMENT_FORMAT,
        empty: () => emptyDocument(0),
      });
      stores.push(store);
      await store.commit(documentWithHistory(size));
      cases.push({ name: `${size} recordings`, run: () => commits(store, file) });
    }
    return {
      cases,
      [Symbol.asyncDispose]: async () => {
        for (const store of stores) await store[Symbol.asyncDispose]();
      },
    };
  },
};

async function commits(store: DocumentStore<DaemonDocument>, file: string) {
  const nothing = await times(store, ({ heartbeatAt, ...document }) => ({
    ...document,
    heartbeatAt: heartbeatAt + 1,
  }));
  const [id = ""] = Object.keys(store.current.recordings);
  const one = await times(store, ({ recordings, ...document }) => {
    const recording = recordings[id];
    if (recording === undefined) throw new Error("a document without recordings");
    return { ...document, recordings: { ...recordings, [id]: { ...recording } } };
  });
  return {
    commit: ms(quantile(nothing, 0.5)),
    "slowest of ten": ms(quantile(nothing, 1)),
    "commit, one that is over changed": ms(quantile(one, 0.5)),
    document: mib((await stat(file)).size),
  };
}

async function times(
  store: DocumentStore<DaemonDocument>,
  change: (document: DaemonDocument) => DaemonDocument,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let done = 0; done < COMMITS; done += 1) {
    const next = change(store.current);
    found.push(await elapsedMs(() => store.commit(next)));
  }
  return found;
}
