import { signal } from "@preact/signals";

/** As `/v1/session` tells of this browser. */
export interface Session {
  readonly signedIn: boolean;
  readonly canSignIn: boolean;
  readonly user?: string;
  readonly by?: "nothing" | "proxy" | "token" | "password" | "session";
  readonly csrfToken?: string;
  /** Nothing is configured yet. */
  readonly setup?: true;
  /** A guide server answers, not a recorder. */
  readonly guideServer?: {
    /** Whether an account can be made here now. */
    readonly signUp: boolean;
    readonly regions: readonly { readonly id: number; readonly name: string }[];
  };
}

/** `undefined` until the recorder has answered. */
export const session = signal<Session | undefined>(undefined);

/** A refusal, in the recorder's own words. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Method = "GET" | "POST" | "DELETE" | "PATCH" | "PUT";

/** @throws Refusal as the recorder refuses, or where it does not answer (status 0) */
export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const { csrfToken } = session.value ?? {};
  const answer = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(method === "GET" || csrfToken === undefined ? {} : { "x-csrf-token": csrfToken }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (answer === undefined) throw new Refusal(0, "The recorder does not answer.");
  const value: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return value as T;
  const { message = `The recorder answered ${answer.status}.` } = (value ?? {}) as { message?: string };
  if (answer.status === 401 && session.value?.signedIn === true) {
    session.value = { ...session.value, signedIn: false };
  }
  throw new Refusal(answer.status, message);
}

/** Of the one-time link by which this page was opened. It is a secret: neither the address nor the history keeps it. */
let linkKey: string | undefined = /^#link=(.+)$/.exec(location.hash)?.[1];
if (linkKey !== undefined) history.replaceState(history.state, "", location.pathname + location.search);

/** Why the link that led here counts no more, in the recorder's words. */
export const linkRefusal = signal<string | undefined>(undefined);

/** Signs in by the one-time link, where one led here. */
export async function lookForSession(): Promise<void> {
  const found = await ask<Session>("GET", "/v1/session");
  const key = found.signedIn || found.guideServer !== undefined ? undefined : linkKey;
  session.value = key === undefined ? found : ((await sessionByLink(key)) ?? found);
}

async function sessionByLink(key: string): Promise<Session | undefined> {
  try {
    return await ask<Session>("POST", "/v1/session", { link: key });
  } catch (error) {
    // Nobody has heard it: it is sent again.
    if (!(error instanceof Refusal) || error.status === 0) throw error;
    linkRefusal.value = error.message;
    linkKey = undefined;
    return undefined;
  }
}

/** Whether the page was opened by a one-time link: at a guide server the first account is made by it. */
export function hasLink(): boolean {
  return linkKey !== undefined;
}

export async function signInByLink(link: string): Promise<void> {
  session.value = await ask<Session>("POST", "/v1/session", { link });
}

export async function signIn(user: string, password: string): Promise<void> {
  session.value = await ask<Session>("POST", "/v1/session", { user, password });
}

/** Makes an account at a guide server, and signs in with it. */
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
  await ask("DELETE", "/v1/session");
  await lookForSession();
}
