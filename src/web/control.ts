import type { Clock } from "../kit/clock.ts";
import { createWebServer, type WebRefusal, type WebServer } from "../kit/web-server.ts";
import type { ProbeOrder, ProbeReport } from "../model/probe.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Difference, Unknown, WhatIf } from "../model/what-if.ts";
import { json } from "./json.ts";
import { type LibraryFace, libraryRoutes } from "./library-routes.ts";
import { probeRoute } from "./tuner-routes.ts";
import { whatIfRoute } from "./what-if-route.ts";

/** What people may see of the daemon and ask of it. */
export interface DaemonFace {
  snapshot(): Snapshot;
  /** Asks the guide service for its timers at once. */
  syncNow(): void;
  /** What the plan would do otherwise. */
  whatIf(change: WhatIf): Promise<Difference | Unknown>;
  /** Tries whether a service is received. @throws RecorderdError why it is not tried now */
  probe(order: ProbeOrder): Promise<ProbeReport>;
  readonly library: LibraryFace;
}

/** The daemon's control socket: what `recorderd status` and its like ask. */
export async function openControlSocket(
  face: DaemonFace,
  { path, clock }: { readonly path: string; readonly clock: Clock },
): Promise<WebServer> {
  const server = createWebServer({
    routes: [
      { method: "GET", path: "/v1/snapshot", handle: async () => json(200, face.snapshot()) },
      {
        method: "POST",
        path: "/v1/sync",
        handle: async () => {
          face.syncNow();
          return json(202, {});
        },
      },
      whatIfRoute(face.whatIf),
      probeRoute(face.probe),
      ...libraryRoutes(face.library),
    ],
    refuse: (_request, refusal) => json(STATUS[refusal.kind], { error: refusal.kind }),
    bodyBytesMax: 64 * 1024,
    clock,
  });
  await server.listenOnSocket(path);
  return server;
}

const STATUS: Readonly<Record<WebRefusal["kind"], number>> = {
  "no-route": 404,
  method: 405,
  "too-large": 413,
  malformed: 400,
  failed: 500,
};
