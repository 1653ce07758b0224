import { disposeToken } from "../domain/accounts.ts";
import { isRefusal } from "../refusal.ts";
import { MEDIA_TYPE, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { type GuideRoute, openRoute, reply } from "./route.ts";
import { loginDocument } from "./wire.ts";

const login = {
  path: "/login",
  body: "login-request",
  answer: "login",
  statuses: {
    401: "The e-mail address or the password is wrong, or there is no such account and the server accepts no sign-ups.",
    406: "The body is not a valid document, or it has an invalid e-mail address, password or region_id for a new account, or an invalid label or type_id for a new device.",
    415: MEDIA_TYPE,
    429: "Too many logins of this account or from this address have failed; Retry-After says when to try again.",
    503: UNAVAILABLE,
  },
} as const;

const summary =
  "Sign in, and register the device: a known uid returns its device. If sign-up is allowed, an unknown e-mail address creates an account";

const LOGIN_ROUTES = (["POST", "PUT"] as const).map((method) =>
  openRoute(
    { ...login, method, summary, success: method === "POST" ? 201 : 200 },
    async ({ tables, signIn, request }, order) => {
      const outcome = await signIn.signIn(order, request.address);
      return isRefusal(outcome) ? outcome : reply(loginDocument(tables, outcome));
    },
  ),
);

/** Sign-in and sign-out. Logout checks the credentials itself: it answers differently for ended tokens. */
export const ACCOUNT_ROUTES: readonly GuideRoute[] = [
  ...LOGIN_ROUTES,
  {
    ...openRoute(
      {
        method: "DELETE",
        path: "/logout",
        summary: "Revoke the token",
        success: 200,
        statuses: {
          401: UNAUTHORIZED,
          404: "The token was already revoked or has expired: there is nothing to revoke.",
          503: UNAVAILABLE,
        },
      },
      async ({ store, request: { query }, now }) => {
        const claim = { email: query.get("email_address"), token: query.get("token") };
        const disposed = await disposeToken(store, claim, now);
        return isRefusal(disposed) ? disposed : reply();
      },
    ),
    account: "any-token",
  },
];
