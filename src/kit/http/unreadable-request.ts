import type { Socket } from "node:net";
import { systemCode } from "../machine/system-code.ts";

/** Why the parser gave a request up, and how it must be written instead. */
export interface Unreadable {
  readonly status: 400 | 408 | 431;
  /** A sentence for people. Quotes nothing of the request: it may hold a secret. */
  readonly reason: string;
}

const FIRST_LINE =
  "The first line of a request must be like GET /path HTTP/1.1, with CR and LF at its end: a space in the address is written %20.";
const LINE_ENDS = "Each line of the head must end with CR and LF.";
const LENGTH = "The header Content-Length must be there once, with the number of bytes of the body.";
const BEHIND_REQUEST = `What follows a request is no other request. ${LENGTH}`;
const CHUNKS =
  "A body in chunks must be as in RFC 9112 section 7.1. Otherwise send the header Content-Length.";

const REASONS: Readonly<Record<string, Unreadable["reason"]>> = {
  HPE_INVALID_CONSTANT: FIRST_LINE,
  HPE_INVALID_VERSION: FIRST_LINE,
  HPE_INVALID_URL:
    "The address has a character that it must not have: each of its bytes in UTF-8 is written as % and two hexadecimal digits.",
  HPE_INVALID_METHOD: `A request must begin with a method in capitals, such as GET. ${BEHIND_REQUEST}`,
  HPE_CLOSED_CONNECTION: BEHIND_REQUEST,
  HPE_CR_EXPECTED: LINE_ENDS,
  HPE_LF_EXPECTED: LINE_ENDS,
  HPE_INVALID_HEADER_TOKEN:
    "A header must be one line like Name: value, without a space before the colon and without control characters.",
  HPE_INVALID_CONTENT_LENGTH: LENGTH,
  HPE_UNEXPECTED_CONTENT_LENGTH: LENGTH,
  HPE_INVALID_TRANSFER_ENCODING: CHUNKS,
  HPE_INVALID_CHUNK_SIZE: CHUNKS,
  HPE_INVALID_EOF_STATE: `The connection ended within the request. ${LENGTH}`,
};

/** Explains the error with which Node.js gives up a connection; `undefined` if nobody is there to read an answer. */
export function unreadableRequest(error: Error, socket: Pick<Socket, "writable">): Unreadable | undefined {
  const code = systemCode(error);
  if (code === "ECONNRESET" || !socket.writable) return undefined;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, reason: `The request did not become complete in time. ${LENGTH}` };
  if (code === "HPE_HEADER_OVERFLOW")
    return { status: 431, reason: "The address and the headers of a request may have 16 KiB together." };
  return { status: 400, reason: REASONS[code] ?? "The request is not valid HTTP." };
}
