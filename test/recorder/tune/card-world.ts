import { join } from "node:path";
import { openGuideServer } from "../../../src/guide-server/server.ts";
import { createGuideClient } from "../../../src/guide-wire/client.ts";
import { createHttpClient } from "../../../src/kit/http/http.ts";
import { NO_COST } from "../../../src/kit/http/password.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { SIM_API_KEY, SIM_DEVICE_TYPE, SIM_REGION } from "../../../src/simulator/world.ts";
import type { RecorderOptions } from "../../main-job/recorder.ts";

const EMAIL = "viewer@sim.example";
const PASSWORD = "simulated, not secret";

/** A guide service with one channel, and a device that is signed in. */
export interface CardWorld extends AsyncDisposable {
  readonly home: RecorderOptions["home"];
  /** Announces a show and books it. @returns the timer's id */
  book(show: {
    readonly title: string;
    readonly start: number;
    readonly durationMs: number;
  }): Promise<string>;
}

export async function cardWorld(folder: string, { onid, tsid, sid }: Triplet): Promise<CardWorld> {
  const clock = systemClock();
  const guide = await openGuideServer({
    dataFolder: join(folder, "guide"),
    clock,
    log: silentLog,
    apiKey: SIM_API_KEY,
    passwordCost: NO_COST,
  });
  const dvb = [{ original_network_id: onid, transport_stream_id: tsid, service_id: sid }];
  await guide.seed({
    regions: [{ id: SIM_REGION, name: "Simulated region", country: "Nowhere", timezone: "UTC" }],
    channels: [{ id: 1, name: "Virtual card", region_id: SIM_REGION, lcns: "1", dvb }],
    manufacturers: [{ id: "1", name: "recorderd" }],
    types: [{ id: SIM_DEVICE_TYPE, manufacturer_id: 1, manufacturer_name: "recorderd", model: "Simulator" }],
    series: [],
    shows: [],
  });
  await guide.addAccount({ email: EMAIL, password: PASSWORD, regionId: SIM_REGION });
  const { baseUrl } = await guide.listen({ host: "127.0.0.1", port: 0 });
  await using http = createHttpClient();
  const client = createGuideClient({
    baseUrl,
    apiKey: SIM_API_KEY,
    applicationVersion: "test",
    wire: "json",
    http,
    clock,
    credentials: () => undefined,
  });
  const device = { uid: "card", label: "Card", type_id: SIM_DEVICE_TYPE };
  const member = { email_address: EMAIL, password: PASSWORD };
  const { value } = await client.login({ member, device }, new AbortController().signal);
  const deviceId = value.device?.id ?? 0;
  return {
    home: { token: value.member.token, deviceId, world: { guideUrl: baseUrl } },
    async book({ title, start, durationMs }) {
      const showId = await guide.addShow({
        channelId: 1,
        title,
        start,
        durationMinutes: durationMs / MINUTE,
      });
      return guide.addTimer(EMAIL, { device_id: deviceId, show_id: showId });
    },
    [Symbol.asyncDispose]: () => guide[Symbol.asyncDispose](),
  };
}
