import { householdOf } from "../../kit/http/client-address.ts";
import type { WebRoute } from "../../kit/http/web-server.ts";
import { unauthorized } from "../refusal.ts";
import { type AnswerOptions, refusalAnswer, sameSecret } from "./answer.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/** Metrics of the process, for programs that have the token. */
export interface MetricsOptions {
  readonly requests: RequestMetrics;
  /** It comes as a bearer token. */
  readonly token: string;
}

/** `GET /metrics`. It answers while data is loaded, too. */
export function metricsRoute(
  { requests, token }: MetricsOptions,
  { service, limits, clock }: AnswerOptions,
): WebRoute {
  return {
    method: "GET",
    path: "/metrics",
    handle: async (request) => {
      const [, given = ""] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
      if (!sameSecret(given, token)) {
        const tooMany = limits.refuse("open", householdOf(request.address), clock.monotonicMs());
        return refusalAnswer(request, tooMany ?? WITHOUT_TOKEN);
      }
      const current = service();
      const { contentType, text } = await requests.text(current.kind === "open" ? current.changes.count : 0);
      return {
        status: 200,
        headers: { "Content-Type": contentType, "Cache-Control": "no-store" },
        body: text,
      };
    },
  };
}

const WITHOUT_TOKEN = {
  ...unauthorized("The metrics need the token of --metrics-token-file: Authorization: Bearer TOKEN."),
  headers: { "WWW-Authenticate": 'Bearer realm="metrics"' },
};
