import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { DaemonDocument } from "../src/engine/document.ts";
import { DOCUMENT_VERSION, emptyDocument, parseDocument } from "../src/engine/document.ts";
import { type DocumentStore, openDocumentStore } from "../src/store/document-store.ts";
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
        schemaVersion: DOCUMENT_VERSION,
        parse: parseDocument,
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
  const times: number[] = [];
  for (let done = 0; done < COMMITS; done += 1) {
    const { current } = store;
    times.push(await elapsedMs(() => store.commit({ ...current, heartbeatAt: current.heartbeatAt + 1 })));
  }
  return {
    commit: ms(quantile(times, 0.5)),
    "slowest of ten": ms(quantile(times, 1)),
    document: mib((await stat(file)).size),
  };
}
