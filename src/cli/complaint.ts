import { CommanderError } from "commander";
import { systemCode } from "../kit/machine/system-code.ts";
import { type ErrorCode, RecorderdError } from "../model/errors.ts";
import { formatDuration } from "../model/time.ts";
import { EXIT_OK, EXIT_SOFTWARE, EXIT_USAGE, exitCodeOf } from "./exit-codes.ts";
import type { CliIo } from "./io.ts";
import { plainLines } from "./plain-text.ts";

/**
 * Prints a failure and its remedy on standard error, and returns the exit code.
 *
 * @param gaveUpRights whether root started the command, which now runs as another user
 */
export function complain(
  io: Pick<CliIo, "note" | "signal">,
  error: unknown,
  { gaveUpRights = false }: { readonly gaveUpRights?: boolean } = {},
): number {
  // commander has printed it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  if (io.signal.aborted && error === io.signal.reason) return EXIT_OK;
  if (error instanceof RecorderdError) {
    // Some messages quote the service: control characters must not reach the terminal.
    io.note(plainLines(`recorderd: ${error.message} [${error.code}]`));
    const todo = whatToDo(error);
    if (todo !== undefined) io.note(plainLines(`  ${todo}`));
    if (gaveUpRights && OF_FILES.includes(error.code)) io.note(`  ${AS_OWNER}`);
    return exitCodeOf(error.code);
  }
  const refused = refusedFile(error);
  if (refused !== undefined) return complain(io, refused, { gaveUpRights });
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.note(plainLines(`recorderd: this is a bug in recorderd, please report it: ${trace}`));
  return EXIT_SOFTWARE;
}

/** A file or folder that the system refuses, without a message of its own: mostly one that the user has named. */
function refusedFile(error: unknown): RecorderdError | undefined {
  if (!(error instanceof Error && "path" in error && "syscall" in error)) return undefined;
  const { path: file, syscall } = error;
  const text = `${file} cannot be used (${systemCode(error)} at ${syscall}): check that its folder exists, what it is itself, and the permissions of both.`;
  return new RecorderdError("FILE_UNREADABLE", text, { file: String(file) }, { cause: error });
}

const OF_FILES: readonly ErrorCode[] = ["FILE_UNREADABLE", "WRITE_FAILED", "STORE_WRITE_FAILED"];
const AS_OWNER =
  "The command ran as the owner of the folder, not as root: that user must be able to read or write the files that you name.";

/** Remedies on the command line, for messages without one. */
const TODO: Readonly<Partial<Record<ErrorCode, string>>> = {
  GUIDE_SIGN_IN_NEEDED: "Sign in with the same --config, or the same --url and --secrets.",
  GUIDE_FORBIDDEN: "`recorderd login` takes another API key as the second line of its input.",
  GUIDE_NOT_FOUND: "The identifier is wrong or the record was deleted: list the records to see which exist.",
  GUIDE_METHOD_REFUSED: "The service does not offer this command for this record.",
  GUIDE_NOT_ACCEPTABLE: "Correct what the service names, and try again.",
  GUIDE_MEDIA_TYPE_REFUSED: "Choose the format with --wire json or --wire xml.",
  GUIDE_DOCUMENT_INVALID: "Check the address, or try the other format with --wire json or --wire xml.",
  GUIDE_DOCUMENT_TORN: "Try again. If this happens again, the service or a proxy in front of it is at fault.",
  GUIDE_BODY_TOO_LARGE: "Check the address: the answer is too large for a guide service.",
};

function whatToDo({ code, facts }: RecorderdError): string | undefined {
  const { retryAfterMs, field, html, saysRemedy } = facts;
  if (saysRemedy === true) return undefined;
  if (html === true) return "The answer is a web page: check the whole address, including its path.";
  if (typeof retryAfterMs === "number") return `Try again in ${formatDuration(retryAfterMs)}.`;
  if (code === "GUIDE_NOT_ACCEPTABLE" && typeof field === "string") {
    return `Correct the field ${field}, and try again.`;
  }
  return TODO[code];
}
