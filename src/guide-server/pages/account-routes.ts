import { z } from "zod";
import type { WebRequest } from "../../kit/web-server.ts";
import { type ApiRoute, refused, route } from "../../web/api/route.ts";
import { json } from "../../web/json.ts";
import type { SignIn } from "../domain/login.ts";
import { isRefusal } from "../refusal.ts";

interface Parts {
  readonly signIn: () => SignIn;
  /** Whether who asks may make an account now. */
  readonly signUp: (request: WebRequest) => boolean;
}

/** Accounts that people make for themselves. */
export function accountRoutes({ signIn, signUp }: Parts): readonly ApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/v1/accounts",
      summary: "Make an account, where the server takes sign-ups, or at its machine while there is none",
      open: true,
      body: z.strictObject({
        email: z.string().min(1).max(1000),
        password: z.string().min(1).max(1000),
        regionId: z.int().exactOptional(),
      }),
      answer: "application/json",
      handle: async ({ body, request }) => {
        if (!signUp(request)) {
          const text =
            "This server takes no sign-ups: at its machine, recorderd guide-server add-account does.";
          return refused(403, "not-allowed", text);
        }
        const made = await signIn().signUp(body, request.address);
        if (!isRefusal(made)) return json(200, {});
        return refused(made.status, "not-acceptable", made.message, made.headers);
      },
    }),
  ];
}
