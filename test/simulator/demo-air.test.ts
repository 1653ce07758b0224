import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { seedDemo } from "../../src/guide-server/demo/seed-demo.ts";
import { DAY, MINUTE } from "../../src/model/time.ts";
import { demoAir } from "../../src/simulator/demo-air.ts";

const NOW = Date.UTC(2026, 10, 23, 12);

it.each([0, 10])(
  "the demonstration guide's programmes are on the air on all channels, even %i days later",
  (days) => {
    const air = demoAir({ seed: 7, now: NOW, channels: 6 });
    const at = NOW + days * DAY;
    const { channels, shows } = seedDemo({ seed: 7, now: at, channels: 6 });
    expect(channels).toHaveLength(6);
    for (const { id, name, dvb = [] } of channels) {
      const [first] = dvb;
      const triplet = {
        onid: first?.original_network_id ?? 0,
        tsid: first?.transport_stream_id ?? 0,
        sid: first?.service_id ?? 0,
      };
      expect(air.services).toContainEqual({ triplet, name });
      const show = shows.find(
        ({ channelId, start, durationMinutes }) =>
          channelId === id && start <= at && at < start + durationMinutes * MINUTE,
      );
      const { present, following } = air.schedule(triplet, at);
      expect(show).toBeDefined();
      expect(present).toMatchObject({
        start: show?.start,
        durationMs: (show?.durationMinutes ?? 0) * MINUTE,
      });
      expect(present?.title).not.toBe("");
      expect(following?.start).toBe((show?.start ?? 0) + (show?.durationMinutes ?? 0) * MINUTE);
    }
  },
);

it("docs/guide-server.md says how the demonstration's channels can be recorded", () => {
  const [, sentence = ""] =
    /To record the channels of `--demo`, (.*)/.exec(readFileSync("docs/guide-server.md", "utf8")) ?? [];
  expect(sentence).toContain("`recorderd broadcaster --demo`");
  expect(sentence).toContain("`mock`");
});
