import { guideRoutes } from "../../web/guide-routes.ts";
import { json } from "../../web/json.ts";
import type { SignInParts } from "../../web/listener/session-routes.ts";
import { sessionRoutes } from "../../web/listener/session-routes.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { ruleRoutes } from "../../web/rule-routes.ts";
import { seriesRoutes } from "../../web/series-routes.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { daemonRoutes } from "./daemon-routes.ts";
import { LIVE_HLS, RECORDING_HLS } from "./hls-family.ts";
import { hlsRoutes } from "./hls-routes.ts";
import { importRoutes } from "./import-routes.ts";
import { libraryRoutes } from "./library-routes.ts";
import { linkRoutes } from "./link-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { openApi } from "./openapi.ts";
import { playRoutes } from "./play-routes.ts";
import { progressRoutes } from "./progress-routes.ts";
import { pushRoutes } from "./push-routes.ts";
import { renditionRoutes } from "./rendition-routes.ts";
import { type SetupApi, setupRoutes } from "./setup-routes.ts";
import { subtitleRoutes } from "./subtitle-routes.ts";
import { viewerOf } from "./viewer.ts";
import { watchRoutes } from "./watch-routes.ts";

/**
 * The route table of both listeners; the OpenAPI document and its tests use it too.
 *
 * @param entrance of a listener that identifies people; the control socket has none
 */
export function apiRoutes(api: DaemonApi, entrance?: SignInParts): readonly ApiRoute[] {
  const viewer = viewerOf(entrance);
  const shared = [
    ...daemonRoutes(api),
    ...guideRoutes(api),
    ...seriesRoutes(async () => api.guide.series),
    ...ruleRoutes(async () => api.guide.rules),
    ...libraryRoutes(api, viewer),
    ...progressRoutes(api, viewer),
    ...pushRoutes(api),
    ...playRoutes(api),
    ...hlsRoutes(api, RECORDING_HLS),
    ...hlsRoutes(api, LIVE_HLS),
    ...renditionRoutes(api, RECORDING_HLS),
    ...renditionRoutes(api, LIVE_HLS),
    ...subtitleRoutes(api, RECORDING_HLS),
    ...subtitleRoutes(api, LIVE_HLS),
    ...listRoutes(api),
    ...watchRoutes(api),
  ];
  const sessions = sessionRoutes(() => entrance);
  const local = [...linkRoutes(api), ...importRoutes(api)];
  const document = documentOf([...shared, ...sessions, ...local]);
  return [...shared, ...(entrance === undefined ? local : sessions), document];
}

/** All routes before the first configuration: those of the setup page. */
export function setupApi(api: SetupApi, entrance: SignInParts): readonly ApiRoute[] {
  const routes = [
    ...setupRoutes(api),
    ...sessionRoutes(
      () => entrance,
      () => ({ setup: true }),
    ),
  ];
  return [...routes, documentOf(routes)];
}

function documentOf(routes: readonly ApiRoute[]): ApiRoute {
  const document: ApiRoute = route({
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This document",
    answer: "application/json",
    handle: () => json(200, openApi([...routes, document])),
  });
  return document;
}
