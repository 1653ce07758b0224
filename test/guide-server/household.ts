import type { Rights } from "../../src/guide-server/data/tables.ts";
import { FirstAccount } from "../../src/guide-server/first-account.ts";
import { LOADING } from "../../src/guide-server/http/answer.ts";
import { guidePages } from "../../src/guide-server/pages/pages.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { DAY } from "../../src/model/time.ts";
import { DASHBOARD } from "../../src/web/listener/static.ts";
import { type Ask, type Hosted, hosted, PASSWORD } from "./hosted.ts";

/** Credentials as `Ask` takes them. */
export interface SessionOf {
  readonly email: string;
  readonly token: string;
}

/** A server with one user of each kind, all signed in. */
export interface Household extends AsyncDisposable {
  readonly guide: Hosted;
  readonly sessions: Readonly<Record<Rights, SessionOf>>;
}

export async function signIn(guide: Hosted, name: string, password = PASSWORD): Promise<SessionOf> {
  const text = JSON.stringify({ member: { email_address: name, password } });
  const answer = await guide.ask({ method: "POST", path: "/login", anonymous: true, text });
  if (answer.status !== 201) throw new Error(`${name} is answered with ${answer.status}`);
  return { email: name, token: answer.read("login").member.token };
}

export async function addUser(guide: Hosted, name: string, rights: Rights): Promise<SessionOf> {
  await guide.server.addUser(guide.email, { name, password: PASSWORD, rights });
  return signIn(guide, name);
}

export const PAGES = { folder: DASHBOARD, silentAfterMs: 5 * DAY };
/** The routes that the pages use. */
export const PAGE_ROUTES = guidePages({
  ...PAGES,
  service: () => LOADING,
  onStoreFailure: () => {},
  onMapped: () => {},
  first: new FirstAccount("nowhere", systemClock()),
  clock: systemClock(),
}).table;

/** Sends a program's request to the pages' listener, with the token of a login. */
export async function askPages(
  guide: Hosted,
  { token }: SessionOf,
  { method, path, json }: { readonly method: Ask["method"]; readonly path: string; readonly json?: object },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const text = json === undefined ? {} : { text: JSON.stringify(json) };
  const answer = await guide.ask({ method, path, anonymous: true, headers, ...text });
  return { status: answer.status, body: JSON.parse(answer.body.toString()) };
}

export async function household(): Promise<Household> {
  const guide = await hosted({ pages: PAGES });
  return {
    guide,
    sessions: {
      owner: { email: guide.email, token: guide.token },
      member: await addUser(guide, "anna", "member"),
      viewer: await addUser(guide, "ben", "viewer"),
    },
    [Symbol.asyncDispose]: () => guide[Symbol.asyncDispose](),
  };
}
