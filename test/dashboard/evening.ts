import type { Recording } from "../../src/model/recording.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { soon } from "../main-job/recorder.ts";
import { type Household, openHousehold } from "./household.ts";
import { LONG_TITLES } from "./large-household.ts";
import { drawLogos, fillGuide } from "./programme.ts";

const CHANNELS = 16;
/** Channels 1 to 4 share a multiplex, and so on: the household's one tuner holds one of them. */
const [HERE, ELSEWHERE] = [1, 5];

export interface Evening extends Household {
  /** Recordings in all states that a household knows. */
  readonly recordings: Readonly<Record<"done" | "failed" | "running" | "planned" | "conflict", Recording>>;
}

/** A household with an evening of everything: a recording that runs, some that ended, others that need a decision. */
export async function openEvening(): Promise<Evening> {
  const hour = Math.ceil(Date.now() / HOUR) * HOUR;
  const household = await openHousehold(CHANNELS, async (world) => {
    const from = hour - 24 * HOUR;
    await fillGuide(world.world, { channels: CHANNELS - LONG_TITLES.length, from, to: from + 72 * HOUR });
    for (const [at, title] of LONG_TITLES.entries()) {
      const show = { channelId: CHANNELS - at, title, seriesId: `long${at}`, durationMinutes: 55 };
      for (let hours = -2; hours < 12; hours += 1) {
        const episode = {
          episodeId: `${hours}`,
          subtitle: `${title} ${hours}`,
          desc: `${title}. `.repeat(9),
        };
        await world.world.guide.addShow({ ...show, ...episode, start: hour + hours * HOUR });
      }
    }
  });
  const { world, recorder } = household;
  const book = (title: string, channel: number, start: number, durationMs: number) =>
    world.world.book({ channel, title, start, durationMs }, world.deviceId);
  const ended = soon();
  // One of them is lost.
  const past = [
    await book("Early film", HERE, ended, 5 * SECOND),
    await book("Early concert", ELSEWHERE, ended, 5 * SECOND),
  ];
  const planned = await book(LONG_TITLES[0], HERE, hour + 3 * HOUR, HOUR);
  const rivals = [
    await book(LONG_TITLES[1], HERE, hour + 5 * HOUR, HOUR),
    await book("The long voyage", ELSEWHERE, hour + 5 * HOUR, HOUR),
    await book("Sports of the week", ELSEWHERE, hour + 7 * HOUR, HOUR),
    await book("Evening concert", HERE + 1, hour + 7 * HOUR, HOUR),
  ];
  const [first, second] = await Promise.all(
    past.map((id) => recorder.until(id, ({ state }) => isTerminal(state))),
  );
  const running = await recorder.until(
    await book("The film of the evening", HERE, soon(), 2 * HOUR - 5 * MINUTE),
    ({ state }) => state === "recording",
  );
  const decided = await Promise.all(
    rivals.map((id) => recorder.until(id, ({ state }) => state === "planned" || state === "conflicted")),
  );
  const conflict = decided.find(({ state }) => state === "conflicted");
  const [done, failed] = first?.state === "failed" ? [second, first] : [first, second];
  if (conflict === undefined || done === undefined || failed === undefined)
    throw new Error("a quiet evening");
  await drawLogos(household.browser, recorder.data, ["Sim 1", "Sim 2", "Sim 4"]);
  return {
    ...household,
    recordings: {
      done,
      failed,
      running,
      planned: await recorder.until(planned, () => true),
      conflict,
    },
  };
}
