import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, Count, list, Name, Text } from "../../web/schemas.ts";
import type { StoredTimer } from "../data/tables.ts";
import { addTimer } from "../domain/timer-add.ts";
import { listedTimers, timerOf } from "../domain/timer-lists.ts";
import { deleteTimer } from "../domain/timers.ts";
import { chosenDevice } from "./chosen-device.ts";
import type { Household, HouseholdOf } from "./household.ts";
import { nextTimers } from "./next-timers.ts";

const TimerSchema = z.object({ timerId: Text, deviceId: Count, state: Text, message: Text });
const ShowOrder = z.strictObject({
  show: z
    .string()
    .regex(/^\d{1,16}$/, "expected a whole number")
    .transform(Number)
    .describe("Id of the show."),
});
const NextTimerSchema = z.object({
  ruleId: Count.exactOptional(),
  seriesId: Text.exactOptional().describe("The series of the series recording that ordered it."),
  keywordId: Count.exactOptional(),
  channelId: Count,
  start: At,
});
const Order = z.strictObject({
  showId: z.int().min(1),
  deviceId: z
    .int()
    .min(1)
    .exactOptional()
    .describe("Device that records; default: the household's only one."),
});
const Id = z.strictObject({ id: Name });
const Done = z.object({});

/** Single shows: ordered and cancelled timers. */
export function timerRoutes(of: HouseholdOf): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/timers",
      summary: "The household's timers of one show, with their devices",
      query: ShowOrder,
      answer: list(TimerSchema),
      handle: async ({ query: { show }, request }) => timersOf(await of(request), show).map(timerView),
    }),
    route({
      method: "GET",
      path: "/v1/timers/next",
      summary: "The next timer of each rule, series recording and keyword of the household",
      answer: list(NextTimerSchema),
      handle: async ({ request }) => nextTimers(await of(request)),
    }),
    route({
      method: "POST",
      path: "/v1/timers",
      summary: "Book a show for a device; repeating the request makes no second timer",
      body: Order,
      answer: TimerSchema,
      handle: async ({ body: { showId, deviceId: named }, request }) => {
        const household = await of(request);
        const { account, user: by, now, change } = household;
        const deviceId = chosenDevice(household, named);
        const timer = await change((tables) => {
          const before = timersOf({ tables, account, now }, showId).find((one) => one.deviceId === deviceId);
          if (before !== undefined) return { changes: [], value: before };
          return addTimer(tables, account, { order: { show_id: showId, device_id: deviceId }, now, by });
        });
        return timerView(timer);
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/timers/:id",
      summary: "Cancel a timer, also on a recorder that already has it",
      params: Id,
      answer: Done,
      handle: async ({ params: { id }, request }) => {
        const { account, now, change } = await of(request);
        await change((tables) =>
          // Deleting a cancelled timer again would acknowledge the forget in the recorder's place.
          timerOf(tables, account, { id, now })?.action === "record"
            ? deleteTimer(tables, { account, device: undefined }, { id, now })
            : { changes: [], value: undefined },
        );
        return {};
      },
    }),
  ];
}

function timersOf(
  { tables, account, now }: Pick<Household, "tables" | "account" | "now">,
  wanted: number,
): readonly StoredTimer[] {
  return listedTimers(tables, account, now).filter(
    ({ showId, action }) => showId === wanted && action === "record",
  );
}

function timerView({ id, deviceId, state, message }: StoredTimer): z.input<typeof TimerSchema> {
  return { timerId: id, deviceId, state, message };
}
