/** Long enough that there are few of them, short enough that nobody waits for one. */
const PIECE_LENGTH = 64 * 1024;
/** Below that a value is small, whatever it is, and so is an entry of a list. */
const DEPTH = 3;

/** Small values as text. Values are never edited: the very same object has the same text. */
export type JsonTexts = WeakMap<object, string>;

/**
 * The text that `JSON.stringify` makes of a plain value, in pieces that are made one by one as they are asked for: for large
 * values, whose text takes longer than others should wait.
 *
 * @param texts remembered from one time to the next by who writes much the same again and again
 */
export function* jsonPieces(value: object, texts?: JsonTexts): Generator<string, void, undefined> {
  let piece = "";
  for (const part of parts(value, DEPTH, texts)) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* parts(
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
      // In a list, nothing is written as null.
      yield `${start}${JSON.stringify(part) ?? "null"}`;
    } else if (depth === 1 || isList) yield `${start}${textOf(part, texts)}`;
    else {
      yield start;
      yield* parts(part, depth - 1, texts);
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
