import { computed, signal } from "@preact/signals";
import { SETUP_REFUSALS } from "../../model/setup.ts";
import { refusalOf } from "../../words/trouble.ts";
import { firstSession } from "../early.ts";
import { languageLoaded, say } from "./language.ts";

/** The answer of `/v1/session` for this browser. */
export interface Session {
  readonly signedIn: boolean;
  readonly canSignIn: boolean;
  readonly user?: string;
  readonly by?: "nothing" | "proxy" | "token" | "password" | "session";
  readonly csrfToken?: string;
  /** The recorder has no configuration yet. */
  readonly setup?: true;
  /** A guide server, not a recorder. */
  readonly guideServer?: {
    /** Whether sign-up is possible here now. */
    readonly signUp: boolean;
    readonly regions: readonly { readonly id: number; readonly name: string }[];
  };
}

/** `undefined` until the recorder has answered. */
export const session = signal<Session | undefined>(undefined);
/** Whether the visitor sees the pages of a recorder. */
export const isAtRecorder = computed(() => {
  const { value } = session;
  return value?.signedIn === true && value.guideServer === undefined && value.setup !== true;
});

/** A refusal, in the reader's words where its code is known, otherwise with the recorder's own message. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** The field of the request that is wrong. */
  readonly field: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/** The field that a request was refused for; `undefined` if the refusal is about something else. */
export function mistakenField(error: unknown): string | undefined {
  return error instanceof Refusal ? error.field : undefined;
}

/** Whether a request was refused because its address does not exist, or not in this version of the recorder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 404 || error.status === 400);
}

export type Method = "GET" | "POST" | "DELETE" | "PATCH" | "PUT";

/** @throws Refusal on a refusal, or with status 0 without an answer */
export async function ask<T>(
  method: Method,
  path: string,
  body?: unknown,
  {
    keepalive = false,
    signal = null,
    sent,
  }: {
    readonly keepalive?: boolean;
    readonly signal?: AbortSignal | null;
    /** The answer to this request, which was sent before. */
    readonly sent?: Promise<Response | undefined> | undefined;
  } = {},
): Promise<T> {
  const { csrfToken } = session.value ?? {};
  const asking =
    sent ??
    fetch(path, {
      method,
      // The request outlives the page.
      keepalive,
      signal,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "GET" || csrfToken === undefined ? {} : { "x-csrf-token": csrfToken }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined);
  const answer = await asking;
  if (answer?.ok !== true) await languageLoaded;
  if (answer === undefined) throw new Refusal(0, say("trouble-no-answer"));
  const value: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return value as T;
  const { code = "", message, field, why = "" } = (value ?? {}) as Partial<RefusalAnswer>;
  if (answer.status === 401 && session.value?.signedIn === true) {
    session.value = { ...session.value, signedIn: false };
  }
  throw new Refusal(
    answer.status,
    signInRefusalOf(code, body) ??
      (BUSY.includes(code) ? say("trouble-not-ready") : undefined) ??
      refusalOf(code, say) ??
      setupRefusalOf(why, message) ??
      message ??
      say("trouble-answer", { status: answer.status }),
    field ?? fieldIn(message),
  );
}

interface RefusalAnswer {
  readonly code: string;
  readonly message: string;
  readonly field: string;
  readonly why: string;
}

/** A recorder or a guide server has no time for this request. */
const BUSY: readonly string[] = ["too-many", "unavailable"];

/** Says that a password or a one-time link was wrong. */
function signInRefusalOf(code: string, body: unknown): string | undefined {
  if (code !== "not-signed-in" && code !== "GUIDE_SIGN_IN_NEEDED") return undefined;
  if (typeof body !== "object" || body === null) return undefined;
  if ("link" in body) return say("sign-in-link-used");
  return "password" in body ? say("sign-in-wrong") : undefined;
}

/** The reader's words for a mistake in setup; the value that is wrong stands in the form. */
function setupRefusalOf(why: string, reason = ""): string | undefined {
  const known = SETUP_REFUSALS.find((one) => one === why);
  return known === undefined ? undefined : say(`setup-refused-${known}`, { reason });
}

/** A body of the wrong form is refused with a message that begins with the place. */
function fieldIn(message = ""): string | undefined {
  return /^body\.(?:order\.)?(\w+)/.exec(message)?.[1];
}

/** The key of the one-time link that opened this page. It is a secret: neither the address nor the history keeps it. */
let linkKey: string | undefined = /^#link=(.+)$/.exec(location.hash)?.[1];
if (linkKey !== undefined) history.replaceState(history.state, "", location.pathname + location.search);

/** The recorder's reason for refusing the one-time link. */
export const linkRefusal = signal<string | undefined>(undefined);

/** The session was asked for before the rest of the program began. */
let early: typeof firstSession | undefined = firstSession;

/** Signs in with the one-time link that opened the page, if there is one. */
export async function lookForSession(): Promise<void> {
  const sent = early;
  early = undefined;
  const found = await ask<Session>("GET", "/v1/session", undefined, { sent });
  const key = found.signedIn || found.guideServer !== undefined ? undefined : linkKey;
  session.value = key === undefined ? found : ((await sessionByLink(key)) ?? found);
}

async function sessionByLink(key: string): Promise<Session | undefined> {
  try {
    return await ask<Session>("POST", "/v1/session", { link: key });
  } catch (error) {
    // The key did not arrive and can be sent again.
    if (!(error instanceof Refusal) || error.status === 0) throw error;
    linkRefusal.value = error.message;
    linkKey = undefined;
    return undefined;
  }
}

/** Whether a one-time link opened the page: at a guide server it creates the first account. */
export function hasLink(): boolean {
  return linkKey !== undefined;
}

export async function signInByLink(link: string): Promise<void> {
  session.value = await ask<Session>("POST", "/v1/session", { link });
}

export async function signIn(user: string, password: string): Promise<void> {
  session.value = await ask<Session>("POST", "/v1/session", { user, password });
}

/** Creates an account at a guide server and signs in with it. */
export async function signUp(account: {
  readonly email: string;
  readonly password: string;
  readonly regionId?: number;
}): Promise<void> {
  await ask("POST", "/v1/accounts", { ...account, ...(linkKey === undefined ? {} : { link: linkKey }) });
  linkKey = undefined;
  await signIn(account.email, account.password);
}

export async function signOut(): Promise<void> {
  // A viewer who closes the page at once is signed out all the same.
  await ask("DELETE", "/v1/session", undefined, { keepalive: true });
  await lookForSession();
}
