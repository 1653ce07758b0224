import { importBroadcastGuide } from "../broadcast/import-guide.ts";
import { isRefusal, notFound } from "../refusal.ts";
import { MEDIA_TYPE, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { accountRoute, type GuideRoute, reply } from "./route.ts";

/** Requests of this program's recorders, beyond the field's. */
export const BROADCAST_ROUTES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "POST",
      path: "/broadcast_guide",
      summary: "Deliver EIT data; it fills gaps in the listings",
      success: 200,
      body: "broadcast-guide",
      answer: "broadcast-guide-taken",
      statuses: {
        401: UNAUTHORIZED,
        404: "The server accepts no EIT data, as anybody may sign up.",
        406: "The body is not a valid document.",
        415: MEDIA_TYPE,
        503: UNAVAILABLE,
      },
    },
    async ({ store, signIn, account, now }, guide) => {
      if (!signIn.takesGuide) return notFound("This server accepts no EIT data.");
      const taken = await importBroadcastGuide(store, account, { guide, now });
      return isRefusal(taken) ? taken : reply(taken);
    },
  ),
];
