import { z } from "zod";
import type { WebAnswer } from "../../kit/http/web-server.ts";
import { json } from "../../web/json.ts";
import { type ApiRoute, refused, route } from "../../web/route.ts";
import type { NewAccount, SignIn } from "../domain/login.ts";
import type { FirstAccount } from "../first-account.ts";
import { isRefusal } from "../refusal.ts";

interface Parts {
  readonly signIn: () => SignIn;
  /** The one-time link for the first account. */
  readonly first: Pick<FirstAccount, "take" | "giveBack" | "withdraw">;
}

const NO_SIGN_UPS = refused(
  403,
  "not-allowed",
  "This server accepts no sign-ups: run recorderd guide-server add-account on its machine.",
);
const NO_LINK = refused(
  403,
  "not-allowed",
  "Create the first account with the link in the file first-account of the server's data folder.",
);

/** Sign-up. */
export function accountRoutes({ signIn, first }: Parts): readonly ApiRoute[] {
  const make = async (order: NewAccount, address: string): Promise<WebAnswer | undefined> => {
    const made = await signIn().signUp(order, address);
    return isRefusal(made) ? refused(made.status, "not-acceptable", made.message, made.headers) : undefined;
  };
  return [
    route({
      method: "POST",
      path: "/v1/accounts",
      summary:
        "Create an account, if the server accepts sign-ups, or the first account with the one-time link of its data folder",
      open: true,
      body: z.strictObject({
        email: z.string().min(1).max(1000),
        password: z.string().min(1).max(1000),
        regionId: z.int().exactOptional(),
        link: z.string().min(1).max(200).exactOptional(),
      }),
      answer: "application/json",
      handle: async ({ body: { link, ...order }, request: { address } }) => {
        if (signIn().allowsSignUp) return (await make(order, address)) ?? json(200, {});
        if (!signIn().awaitsFirst) return NO_SIGN_UPS;
        // The link is used up before the slow password hash: one link creates one account, also with concurrent
        // requests.
        if (link === undefined || !first.take(link)) return NO_LINK;
        const refusal = await make(order, address);
        if (refusal !== undefined) {
          first.giveBack(link);
          return refusal;
        }
        await first.withdraw();
        return json(200, {});
      },
    }),
  ];
}
