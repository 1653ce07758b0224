/** Long enough to be few, short enough not to block the loop. */
const CHUNK_LENGTH = 64 * 1024;
/** Values below this depth are small. */
const DEPTH = 3;

/** Cached text of small values. Values are never edited, so the same object has the same text. */
export type JsonTexts = WeakMap<object, string>;

/**
 * The text of `JSON.stringify` for a plain value, in lazily made chunks: for large values that would block the loop.
 *
 * @param texts cache between calls, for a value that changes little
 */
export function* jsonChunks(value: object, texts?: JsonTexts): Generator<string, void, undefined> {
  let chunk = "";
  for (const part of chunksOf(value, DEPTH, texts)) {
    chunk += part;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

function* chunksOf(
  value: object,
  depth: number,
  texts: JsonTexts | undefined,
): Generator<string, void, undefined> {
  const isList = Array.isArray(value);
  let lead = isList ? "[" : "{";
  for (const [key, part] of isList ? value.entries() : Object.entries(value)) {
    if (!isList && part === undefined) continue;
    const start = isList ? lead : `${lead}${JSON.stringify(key)}:`;
    lead = ",";
    if (typeof part !== "object" || part === null) {
      // JSON writes `undefined` in a list as null.
      yield `${start}${JSON.stringify(part) ?? "null"}`;
    } else if (depth === 1 || isList) yield `${start}${textOf(part, texts)}`;
    else {
      yield start;
      yield* chunksOf(part, depth - 1, texts);
    }
  }
  yield lead === "," ? (isList ? "]" : "}") : isList ? "[]" : "{}";
}

function textOf(value: object, texts: JsonTexts | undefined): string {
  const known = texts?.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts?.set(value, text);
  return text;
}
