import { RecorderdError } from "../../model/errors.ts";
import { type HttpListener, openHttpListener } from "../../web/listener/http-listener.ts";
import { OneTimeLinks } from "../../web/listener/one-time-links.ts";
import { DASHBOARD } from "../../web/listener/static.ts";
import { openControlSocket } from "../api/control.ts";
import type { DaemonApi } from "../api/daemon-api.ts";
import { guideRoute } from "../api/list-routes.ts";
import { apiRoutes } from "../api/routes.ts";
import type { LiveSecrets } from "../config/live-secrets.ts";
import { RECORDER_LIMITS } from "../limits.ts";
import { type Hdhomerun, openHdhomerun } from "../subsystems/hdhomerun/open.ts";
import type { DaemonBase } from "./base.ts";
import type { TunerAccess } from "./tuner-access.ts";

/**
 * Opens the control socket, and the web listener where the configuration has one.
 *
 * @throws RecorderdError ADDRESS_IN_USE, FILE_UNREADABLE
 */
export async function openListeners(
  { config, disposeLater, clock, log }: DaemonBase,
  { api, secrets }: { readonly api: DaemonApi; readonly secrets: LiveSecrets },
): Promise<HttpListener | undefined> {
  disposeLater(await openControlSocket(apiRoutes(api), { path: config.control.socket, clock, log }));
  if (config.web === undefined) return undefined;
  return disposeLater(
    await openHttpListener(config.web, {
      routes: (entrance) => apiRoutes(api, entrance),
      secrets: () => secrets.current.web ?? {},
      links: new OneTimeLinks({ clock, lastsMs: RECORDER_LIMITS.linkMs }),
      folder: DASHBOARD,
      clock,
      log,
    }),
  );
}

/** Opens the HDHomeRun emulation where the configuration has it. @throws RecorderdError FILE_UNREADABLE, WRITE_FAILED */
export async function openEmulation(
  { config: { hdhomerun, web }, folder, clock, log }: DaemonBase,
  { api, tuners }: { readonly api: DaemonApi; readonly tuners: Pick<TunerAccess, "pool"> },
): Promise<Hdhomerun | undefined> {
  if (hdhomerun === undefined) return undefined;
  return openHdhomerun(hdhomerun, {
    folder,
    names: web?.names ?? [],
    reach: api.reach,
    tunerCount: () => tuners.pool.facts.length,
    live: api.playing.live,
    guide: (numbers) => guideRoute(api, { numbers }),
    clock,
    log,
  });
}

/** The address of a new one-time link. @throws RecorderdError CONFIG_INVALID or ADDRESS_IN_USE */
export function linkTo(web: HttpListener | undefined): string {
  if (web === undefined) {
    const text = "There is no dashboard: add `web: {}` to the configuration, and restart the recorder.";
    throw new RecorderdError("CONFIG_INVALID", text);
  }
  const link = web.link();
  if (link !== undefined) return link;
  throw new RecorderdError("ADDRESS_IN_USE", "The dashboard is not available: the recorder's log shows why.");
}
