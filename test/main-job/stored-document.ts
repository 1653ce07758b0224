import { join } from "node:path";
import { type DaemonDocument, emptyDocument } from "../../src/recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../../src/recorder/engine/runtime/document-format.ts";
import { openDocumentStore } from "../../src/recorder/store/document-store.ts";

/** The document in the data folder of a recorder that does not run; reading it changes nothing. */
export async function storedDocument(data: string): Promise<DaemonDocument> {
  const file = join(data, "document.json");
  await using store = await openDocumentStore({ file, ...DOCUMENT_FORMAT, empty: () => emptyDocument(0) });
  return store.current;
}
