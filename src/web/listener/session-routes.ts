import assert from "node:assert/strict";
import { z } from "zod";
import type { WebAnswer, WebRequest } from "../../kit/http/web-server.ts";
import { SECOND } from "../../model/time.ts";
import { json } from "../json.ts";
import { WEB_LIMITS } from "../limits.ts";
import { type ApiRoute, refused, route } from "../route.ts";
import { Count, list, named, Text } from "../schemas.ts";
import { BUSY, type Guard } from "./guard.ts";
import type { NewSession, Visitors } from "./visitors.ts";

export interface SignInParts {
  readonly guard: Guard;
  readonly visitors: Visitors;
}

const SessionSchema = named(
  "Session",
  z.object({
    signedIn: z.boolean().describe("Whether the server answers requests of this browser now."),
    canSignIn: z.boolean().describe("Whether there is any user or token."),
    user: Text.exactOptional(),
    by: z.enum(["nothing", "proxy", "token", "password", "session"]).exactOptional(),
    csrfToken: Text.exactOptional().describe("Every change must send it as X-CSRF-Token."),
    setup: z
      .literal(true)
      .exactOptional()
      .describe("Nothing is configured yet: only the setup of `recorderd setup --web` is available."),
    guideServer: z
      .object({
        signUp: z.boolean().describe("Whether the account page can create an account now."),
        regions: list(z.object({ id: Count, name: Text })),
      })
      .exactOptional()
      .describe("This is a guide server, not a recorder."),
  }),
);

const SignIn = named(
  "SignIn",
  z.union([
    z.strictObject({ user: z.string().min(1).max(200), password: z.string().min(1).max(1000) }),
    z.strictObject({ link: z.string().min(1).max(200).describe("The text after `#link=`.") }),
  ]),
);

/** Sign-in and sign-out of browsers. The control socket has no users and so none of these. */
export function sessionRoutes(
  partsOf: () => SignInParts | undefined,
  place: (request: WebRequest) => Pick<z.input<typeof SessionSchema>, "setup" | "guideServer"> = () => ({}),
): readonly ApiRoute[] {
  const signInParts = () => {
    const parts = partsOf();
    assert(parts !== undefined);
    return parts;
  };
  return [
    route({
      method: "GET",
      path: "/v1/session",
      summary: "Whether this browser is signed in, and as which user",
      open: true,
      answer: SessionSchema,
      handle: async ({ request }) => {
        const { guard, visitors } = signInParts();
        const { visitor, csrfToken } = await guard.visitor(request);
        return {
          signedIn: visitor !== undefined,
          canSignIn: visitors.canSignIn,
          ...place(request),
          ...(visitor === undefined ? {} : { user: visitor.name, by: visitor.by }),
          ...(csrfToken === undefined ? {} : { csrfToken }),
        };
      },
    }),
    route({
      method: "POST",
      path: "/v1/session",
      summary: "Sign in: the answer sets the session's cookie",
      open: true,
      body: SignIn,
      answer: "application/json",
      handle: async ({ body, request }) => {
        const { guard, visitors } = signInParts();
        const user = "link" in body ? undefined : body.user;
        const guess = guard.guess(request, user);
        if ("status" in guess) return guess;
        const session = "link" in body ? await visitors.signInByLink(body.link) : await visitors.signIn(body);
        if (session === undefined) return refused(401, "not-signed-in", user === undefined ? NO_LINK : WRONG);
        if (session === "busy") {
          guess.open();
          return BUSY;
        }
        guess.right();
        return newSessionAnswer(session, {
          canSignIn: visitors.canSignIn,
          user: user ?? "",
          cookie: setCookie(visitors, session.cookie, request),
          place: place(request),
        });
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/session",
      summary: "Sign out",
      answer: "application/json",
      handle: async ({ request }) => {
        const { visitors } = signInParts();
        await visitors.signOut(request);
        const answer = json(200, {});
        return { ...answer, headers: { ...answer.headers, "set-cookie": setCookie(visitors, "", request) } };
      },
    }),
  ];
}

const WRONG = "The name or the password is wrong.";
const NO_LINK = "This link has been used or has expired: get a new one.";

function newSessionAnswer(
  { csrfToken }: NewSession,
  {
    canSignIn,
    user,
    cookie,
    place,
  }: { readonly canSignIn: boolean; readonly user: string; readonly cookie: string; readonly place: object },
): WebAnswer {
  const session = { signedIn: true, canSignIn, user, by: "session", csrfToken, ...place } as const;
  const answer = json(200, session satisfies z.input<typeof SessionSchema>);
  return { ...answer, headers: { ...answer.headers, "set-cookie": cookie } };
}

/** Over TLS, the cookie is never sent on an unencrypted connection. */
function setCookie(
  { cookieName }: Visitors,
  value: string,
  { headers, isTls }: Pick<WebRequest, "headers" | "isTls">,
): string {
  const isSecure = isTls || headers["x-forwarded-proto"] === "https";
  const seconds = value === "" ? 0 : WEB_LIMITS.sessionMs / SECOND;
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
}
