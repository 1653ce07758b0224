import { systemZone } from "../../kit/machine/machine.ts";
import { loadReader } from "../../words/load-reader.ts";
import type { Reader } from "../../words/reader.ts";
import type { Config } from "./schema.ts";

/** The reader of messages and notifications, loaded for the first of them: Node's tables of zones take 8 MB. */
export function readerOf({
  language,
  timeZone,
}: Pick<Config, "language" | "timeZone">): () => Promise<Reader> {
  let loading: Promise<Reader> | undefined;
  return () => {
    loading ??= loadReader({ language, timeZone: timeZone ?? systemZone() });
    return loading;
  };
}
