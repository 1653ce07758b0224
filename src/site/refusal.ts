import type { HttpAnswer } from "../kit/http/http.ts";
import { type ErrorCode, type Facts, RecorderdError } from "../model/errors.ts";
import { SiteFailure } from "./documents.ts";
import { oneLine, textOfHtml } from "./plain-text.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly text: string;
}

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: {
    code: "SITE_SIGN_IN_NEEDED",
    text: "it needs valid credentials: give a user and an application password with --credentials; `recorderd site index` shows where the site issues one",
  },
  403: { code: "SITE_REFUSED", text: "it does not allow this to this user" },
  404: {
    code: "SITE_NOT_FOUND",
    text: "there is nothing at this address; `recorderd site index` lists what the site has",
  },
  408: { code: "SITE_UNAVAILABLE", text: "the request took too long; try again later" },
  410: { code: "SITE_NOT_FOUND", text: "it no longer exists" },
  429: { code: "SITE_UNAVAILABLE", text: "it received too many requests; try again later" },
  501: { code: "SITE_REFUSED", text: "it cannot do this" },
};

/** Site codes that are more precise than the status. */
const SITE_CODES: Readonly<Record<string, Meaning>> = {
  rest_missing_callback_param: {
    code: "SITE_REFUSED",
    text: "it needs more information; for users, who gets their posts: delete users ID --force --reassign ID",
  },
  rest_trash_not_supported: {
    code: "SITE_REFUSED",
    text: "it has no trash for this; --force deletes it permanently",
  },
};

export interface Refusal {
  readonly answer: HttpAnswer;
  /** The body as JSON, if it is any. */
  readonly parsed: unknown;
  readonly facts: Facts;
  readonly site: URL;
  readonly secrets: readonly string[];
}

/** The error for an unsuccessful answer, with the site's own message and without our secrets. */
export function refusalOf({ answer, parsed, facts, site, secrets }: Refusal): RecorderdError {
  const said = SiteFailure.safeParse(parsed).data;
  const siteCode = said === undefined ? "" : redacted(String(said.code), secrets);
  const meaning = SITE_CODES[siteCode] ?? meaningOf(answer, site);
  const words = said === undefined ? "" : redacted(said.message, secrets);
  return new RecorderdError(
    meaning.code,
    `The content site ${site.origin} answered ${answer.status}: ${meaning.text}${words === "" ? "" : ` (it says: ${words})`}`,
    siteCode === "" ? facts : { ...facts, siteCode },
  );
}

function meaningOf({ status, headers }: HttpAnswer, site: URL): Meaning {
  const known = MEANINGS[status];
  if (known !== undefined) return known;
  if (status >= 500)
    return { code: "SITE_UNAVAILABLE", text: "it is not available at the moment; try again later" };
  if (status >= 300 && status < 400)
    return { code: "SITE_REFUSED", text: redirectText(headers["location"], site) };
  return { code: "SITE_REFUSED", text: "it does not accept the request" };
}

/**
 * No redirection is followed: it could lead the credentials elsewhere. Its query may contain the request and is not
 * shown.
 */
export function redirectText(location: string | undefined, site: URL): string {
  const to =
    location !== undefined && URL.canParse(location, site.href) ? new URL(location, site) : undefined;
  if (to === undefined || !/^https?:$/.test(to.protocol))
    return "it has moved; give its new address with --site";
  const place = oneLine(to.origin === site.origin ? `${to.origin}${to.pathname}` : to.origin);
  return `it has moved to ${place}; if that is right, give its address there with --site`;
}

/**
 * Removes secrets that an echoing site repeats, before they reach the logs. Cutting comes last: half a secret would
 * not be found.
 */
function redacted(text: string, secrets: readonly string[]): string {
  // Checks the text before and after removing markup, which could hide a secret.
  const hide = (from: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), from);
  return oneLine(hide(textOfHtml(hide(text))));
}
