import type { HttpAnswer } from "../kit/http/http.ts";
import { RecorderdError } from "../model/errors.ts";
import { decodeDocument } from "./codec.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";

/** For an error that names no status of its own. */
const UNNAMED = 503;

/**
 * The error that an answer with a status of success reports: many frameworks answer 200 whatever happens. A report that failed
 * so must not count as delivered, and an empty list beside an error is no list.
 *
 * @returns its status; `undefined` if the answer is what it says
 */
export function statusOfReportedError({ headers, body }: HttpAnswer): number | undefined {
  if (body.length === 0 || body.length > GUIDE_WIRE_LIMITS.errorBytes) return undefined;
  const text = body.toString("latin1").trimStart();
  const isXml = /^(?:<\?[^>]*>\s*)?<errors?[\s>]/i.test(text);
  if (!isXml && !reportsError(recordIn(text))) return undefined;
  const status = namedStatus(body, headers["content-type"] ?? "");
  return status !== undefined && status >= 400 && status < 600 ? status : UNNAMED;
}

function reportsError(document: Readonly<Record<string, unknown>>): boolean {
  const { error, errors, success, status } = document;
  const lists = Object.entries(document).filter(([name]) => name !== "errors");
  if (lists.some(([, list]) => Array.isArray(list) && list.length > 0)) return false;
  const isError = typeof error === "string" ? error !== "" : isFault(error);
  const isFailure = success === false || /^(?:error|fail(?:ed|ure)?)$/i.test(String(status));
  return isError || (Array.isArray(errors) && errors.length > 0) || isFailure;
}

/** Some services send an error with every answer, and number success 0 or 200. */
function isFault(error: unknown): boolean {
  if (error === true) return true;
  if (typeof error !== "object" || error === null) return false;
  const { code, status } = error as Readonly<Record<string, unknown>>;
  return !["0", "200"].includes(String(status ?? code));
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  if (!text.startsWith("{") || !/"(?:errors?|success|status)"\s*:/.test(text)) return {};
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function namedStatus(body: Uint8Array, contentType: string): number | undefined {
  try {
    return decodeDocument("error", body, { contentType }).value.error.status;
  } catch (problem) {
    if (!(problem instanceof RecorderdError)) throw problem;
    return undefined;
  }
}
