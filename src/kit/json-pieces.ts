/** Long enough that there are few of them, short enough that nobody waits for one. */
const PIECE_LENGTH = 64 * 1024;
/** Below that a value is small, whatever it is. */
const DEPTH = 3;

/**
 * The text that `JSON.stringify` makes of a plain value, in pieces that are made one by one as they are asked for: for large
 * values, whose text takes longer than others should wait.
 */
export function* jsonPieces(value: object): Generator<string, void, undefined> {
  let piece = "";
  for (const part of parts(value, DEPTH)) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* parts(value: unknown, depth: number): Generator<string, void, undefined> {
  if (depth === 0 || typeof value !== "object" || value === null) {
    // In a list, nothing is written as null.
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const isList = Array.isArray(value);
  let lead = isList ? "[" : "{";
  for (const [key, part] of isList ? value.entries() : Object.entries(value)) {
    if (!isList && part === undefined) continue;
    yield isList ? lead : `${lead}${JSON.stringify(key)}:`;
    yield* parts(part, depth - 1);
    lead = ",";
  }
  yield lead === "," ? (isList ? "]" : "}") : isList ? "[]" : "{}";
}
