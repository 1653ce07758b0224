import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { Text } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";

/**
 * Served on the control socket only: its user owns the machine, and proves that to the HTTP listener by such a link.
 */
export function linkRoutes(api: Pick<DaemonApi, "webLink">): readonly ApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/v1/links",
      summary: "Create a one-time link that signs a browser in; only on the control socket",
      answer: z.object({ link: Text.describe("Address of the dashboard, with the key after `#link=`.") }),
      handle: () => ({ link: api.webLink() }),
    }),
  ];
}
