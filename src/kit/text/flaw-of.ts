import { z } from "zod";

/** Further ones are mostly consequences of the first. */
const ISSUES_SAID = 3;

/**
 * Why a stored text was refused, for people: the library's own message is JSON, and the parser's quotes the text.
 *
 * @param error what reading the text has thrown
 */
export function flawOf(error: unknown, text: string): string {
  if (error instanceof z.ZodError) return issuesOf(error);
  if (error instanceof SyntaxError) return `it is not JSON: ${syntaxOf(error, text)}`;
  return error instanceof Error ? error.message : String(error);
}

function syntaxOf({ message }: SyntaxError, text: string): string {
  if (text.trim() === "") return "it is empty";
  if (/^\0+$/.test(text)) return "it has only zero bytes, as after a power failure";
  const at = faultyPosition(message) ?? (/^Unexpected end/.test(message) ? text.length : undefined);
  if (at === undefined) return "it has text that does not belong there";
  const place = placeIn(text, at);
  return at >= text.trimEnd().length
    ? `it ends too early, at ${place}`
    : `${place} does not continue what is before it`;
}

/** The position in a message of `JSON.parse`, which mostly has one, and quotes what is there. */
export function faultyPosition(message: string): number | undefined {
  const [, at] = / at position (\d+)/.exec(message) ?? [];
  return at === undefined ? undefined : Number(at);
}

export function placeIn(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function issuesOf({ issues }: z.ZodError): string {
  const said = issues.slice(0, ISSUES_SAID).map(({ path, message }) => {
    const place = path.length === 0 ? "the whole" : path.map(String).join(".");
    return `${place}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  });
  const more = issues.length - said.length;
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
