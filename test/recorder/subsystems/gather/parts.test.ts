import { expect, it } from "vitest";
import { broadcastDesk } from "../../../../src/guide-wire/broadcast.ts";
import { createGuideClient } from "../../../../src/guide-wire/client.ts";
import { createHttpClient } from "../../../../src/kit/http/http.ts";
import type { BroadcastGuide, GuideService } from "../../../../src/model/broadcast-guide.ts";
import { HOUR } from "../../../../src/model/time.ts";
import { newParts, requestsOf, servicesOf } from "../../../../src/recorder/subsystems/gather/parts.ts";
import { hosted } from "../../../guide-server/hosted.ts";

const NOON = Date.UTC(2026, 10, 22, 12);

it.each(["json", "xml"] as const)(
  "empty segments of all services of a satellite fit the request limits of a guide server: %s",
  async (wire) => {
    const blocks = Array.from({ length: 40 }, (_, index) => {
      const start = NOON + index * 3 * HOUR;
      return { span: { start, stop: start + 3 * HOUR }, events: [] };
    });
    const services = Array.from({ length: 500 }, (_, index): GuideService => {
      return { triplet: { onid: 1, tsid: 1000, sid: 5000 + index }, name: "", isReceived: true, blocks };
    });
    const guide: BroadcastGuide = { services, events: [] };
    await using server = await hosted({ at: NOON });
    const http = createHttpClient();
    try {
      const client = createGuideClient({
        baseUrl: server.baseUrl,
        apiKey: "k",
        applicationVersion: "recorderd/test",
        wire,
        clock: server.clock,
        credentials: () => server,
        http,
      });
      const desk = broadcastDesk(client);
      const requests = requestsOf(newParts(guide, new Map(), 0));
      const { signal } = new AbortController();
      for (const request of requests) await desk.bring(servicesOf(request), signal);
      expect(requests.flat()).toHaveLength(500 * 40);
    } finally {
      await http.close();
    }
  },
);
