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

export async function lookForSession(): Promise<void> {
  session.value = await ask<Session>("GET", "/v1/session");
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
  await ask("POST", "/v1/accounts", account);
  await signIn(account.email, account.password);
}

export async function signOut(): Promise<void> {
  await ask("DELETE", "/v1/session");
  await lookForSession();
}
