/*
 * The condition of each status, for the routes, the OpenAPI document and people. A refused request has changed
 * nothing. Its body is an error document in the answer's format.
 */

export const UNAVAILABLE =
  "The server is loading its data, shutting down, or cannot write; Retry-After says when to try again.";
export const UNAUTHORIZED =
  "email_address and token are missing, do not match, have expired or were revoked.";
export const NO_GUIDE_DATA = "The server has no guide data of this kind yet.";
export const MEDIA_TYPE = "The body's Content-Type names neither JSON nor XML, or the body is compressed.";
export const NO_SUCH = (what: string) => `There is no such ${what}.`;
export const NO_SUCH_OWN = (what: string) => `The account has no such ${what}.`;
export const NOT_ON_LIST =
  "The request has no id: DELETE removes one record of the list. The Allow header lists the methods of the list.";
