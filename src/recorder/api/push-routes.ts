import { z } from "zod";
import { isZone } from "../../model/zone.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { named, Text } from "../../web/schemas.ts";
import { LANGUAGES, type Language } from "../../words/language.ts";
import type { DaemonApi } from "./daemon-api.ts";

const Endpoint = z.url({ protocol: /^https$/, error: "expected an https address" }).max(1000);
const Key = z
  .string()
  .max(200)
  .regex(/^[\w-]+=*$/, "expected base64url");

const BrowserSchema = named(
  "PushBrowser",
  z.strictObject({
    endpoint: Endpoint,
    keys: z.strictObject({ p256dh: Key, auth: Key }),
    language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]),
    timeZone: z.string().max(100).refine(isZone, "expected a time zone such as Europe/Berlin"),
  }),
);
const Done = named("PushDone", z.object({}));

/** Routes for browsers that receive notifications (RFC 8030). */
export function pushRoutes({ push }: Pick<DaemonApi, "push">): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/push",
      summary: "The recorder's key at push services (`applicationServerKey` of the Push API)",
      answer: named("PushKey", z.object({ publicKey: Text })),
      handle: async () => ({ publicKey: await push.publicKey() }),
    }),
    route({
      method: "POST",
      path: "/v1/push/browsers",
      summary: "Send notifications to this browser, first a test; repeating it changes its language and zone",
      body: BrowserSchema,
      answer: Done,
      handle: async ({ body }) => {
        await push.add(body);
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/push/browsers/remove",
      summary: "Send no notifications to this browser; an unknown one is no error",
      body: named("PushRemoval", z.strictObject({ endpoint: Endpoint })),
      answer: Done,
      handle: async ({ body }) => {
        await push.remove(body.endpoint);
        return {};
      },
    }),
  ];
}
