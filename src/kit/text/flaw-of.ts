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
  // Node.js gives the position, and quotes what is there.
  const at = Number(
    / at position (\d+)/.exec(message)?.[1] ?? (/^Unexpected end/.test(message) ? text.length : NaN),
  );
  if (Number.isNaN(at)) return "it has text that does not belong there";
  const before = text.slice(0, at).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return at >= text.trimEnd().length
    ? `it ends too early, at ${place}`
    : `${place} does not continue what is before it`;
}

function issuesOf({ issues }: z.ZodError): string {
  const said = issues.slice(0, ISSUES_SAID).map(({ path, message }) => {
    const place = path.length === 0 ? "the whole" : path.map(String).join(".");
    return `${place}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  });
  const more = issues.length - said.length;
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
