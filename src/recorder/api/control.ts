import { createWebServer, type WebServer } from "../../kit/http/web-server.ts";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { refusal } from "../../web/json.ts";
import { WEB_LIMITS } from "../../web/limits.ts";
import type { ApiRoute } from "../../web/route.ts";

/**
 * The daemon's control socket, for `recorderd status` and similar commands. Anyone who may open it may do everything.
 */
export async function openControlSocket(
  routes: readonly ApiRoute[],
  { path, clock, log }: { readonly path: string; readonly clock: Clock; readonly log: Log },
): Promise<WebServer> {
  const server = createWebServer({
    routes,
    refuse: (request, why) => {
      if (why.kind === "failed")
        log.error("a request failed", { path: request.path, text: String(why.error) });
      return refusal(why);
    },
    bodyBytesMax: WEB_LIMITS.bodyBytes,
    clock,
  });
  await server.listenOnSocket(path);
  return server;
}
