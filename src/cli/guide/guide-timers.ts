import { dirname, join } from "node:path";
import { Command, Option } from "commander";
import { TIMER_STATES, type Timer, type TimerChange, type TimerOrder } from "../../guide-wire/records.ts";
import { formatDuration, MINUTE } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { bookOnce } from "../../recorder/store/booking.ts";
import type { CliIo } from "../io.ts";
import {
  type GuideOptions,
  guideLeaf,
  orderDevice,
  usageError,
  withGuide,
  withOrders,
} from "./guide-access.ts";
import {
  changedText,
  listText,
  localTime,
  printAnswer,
  printDone,
  recordsText,
  requireOne,
} from "./guide-output.ts";
import { noteUnreceived } from "./guide-unreceived.ts";
import { eventMinutes, filled, instant, minutes, numberId } from "./guide-values.ts";

/** The account's timers. */
export function timersCommand(io: CliIo): Command {
  return new Command("timers")
    .description("manage the account's timers")
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(addCommand(io, "add"))
    .addCommand(setCommand(io))
    .addCommand(deleteCommand(io, "delete"));
}

function listCommand(io: CliIo): Command {
  return guideLeaf("list", "list timers").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client, place }) => {
      const answer = await client.timers(io.signal);
      printAnswer(io, { answer, options }, ({ timers }) => listText(io, timerTable(timers, place.timeZone)));
    }),
  );
}

function timerTable(timers: readonly Timer[], timeZone: string) {
  return {
    head: ["id", `start (${timeZone})`, "length", "name", "channel", "device", "action", "state", "message"],
    rows: timers.map(
      ({ id, start_time, duration_minutes, name, channel_id, device_id, action, state, message = "" }) => [
        id,
        localTime(start_time, timeZone),
        formatDuration(duration_minutes * MINUTE),
        name,
        String(channel_id),
        String(device_id),
        action,
        state,
        message,
      ],
    ),
  };
}

function showCommand(io: CliIo): Command {
  return guideLeaf("show", "show all fields of a timer")
    .argument("<id>", "id of the timer", filled)
    .action((id: string, options: GuideOptions) =>
      withGuide(io, options, async ({ client }) => {
        const answer = await client.timer(id, io.signal);
        requireOne(answer, answer.value.timers, `timer ${id}`);
        printAnswer(io, { answer, options }, ({ timers }) => recordsText(io, timers));
      }),
    );
}

/** Options for adding a timer that can also be changed later. */
interface ChangeOptions extends GuideOptions {
  readonly device?: number;
  readonly state?: string;
  readonly message?: string;
  readonly pre?: number;
  readonly post?: number;
  readonly paddingType?: string;
}

function withChangeOptions(command: Command): Command {
  return command
    .option("--message <text>", "note on the last action")
    .option("--pre <minutes>", "padding before the event", minutes)
    .option("--post <minutes>", "padding after the event", minutes)
    .option("--padding-type <text>", "kind of padding, as the recorder names it", filled);
}

function changeOf({ device, state, message, pre, post, paddingType }: ChangeOptions): TimerChange {
  return {
    ...withoutUndefined({ device_id: device, state, message }),
    ...(pre === undefined ? {} : { "pre-padding": pre }),
    ...(post === undefined ? {} : { "post-padding": post }),
    ...(paddingType === undefined ? {} : { "padding-type": paddingType }),
  };
}

interface AddOptions extends ChangeOptions {
  readonly show?: number;
  readonly channel?: number;
  readonly start?: string;
  readonly minutes?: number;
  readonly name?: string;
}

/** `recorderd record`: same as `recorderd guide timers add`. */
export function recordCommand(io: CliIo): Command {
  return addCommand(io, "record");
}

/** `recorderd cancel`: same as `recorderd guide timers delete`. */
export function cancelCommand(io: CliIo): Command {
  return deleteCommand(io, "cancel");
}

function addCommand(io: CliIo, name: string): Command {
  const byShow = new Option("--show <id>", "id of the show in the guide").argParser(numberId);
  const command = guideLeaf(name, "record a show of the guide, or a channel at a given time")
    .addOption(byShow.conflicts(["channel", "start", "minutes", "name"]))
    .option("--channel <id>", "id of the channel to record, instead of --show", numberId)
    .option("--start <time>", "start of the event, with time zone: 2026-11-20T09:30:00+00:00", instant)
    .option("--minutes <number>", "length of the event", eventMinutes)
    .option("--name <text>", "name of the event", filled)
    .option("--device <id>", "recorder to use (default: the configuration's)", numberId);
  return withChangeOptions(command).action((options: AddOptions) => {
    const event = eventOf(io, options);
    return withOrders(io, options, async ({ client, place }) => {
      const device_id = await orderDevice(io, { client, place }, options.device);
      const order = { ...event, ...changeOf(options), device_id };
      const { clock, signal } = io;
      // Without secrets nobody is signed in, so nothing is booked.
      const { answer, wasThere } =
        place.secretsPath === undefined
          ? { answer: await client.addTimer(order, signal), wasThere: false }
          : await bookOnce({ client, order, folder: bookingsFolder(place.secretsPath), clock, signal });
      if (wasThere) io.note("The service already has this timer: its answer was lost the last time.");
      printAnswer(io, { answer, options }, ({ timers }) => changedText(io, timers, "added"));
      for (const { channel_id, device_id: deviceId } of answer.value.timers)
        await noteUnreceived(io, { channelIds: [channel_id], deviceId, place });
    });
  });
}

/** The folder of the secrets, which is the data folder if there is a configuration. */
function bookingsFolder(secretsPath: string): string {
  return join(dirname(secretsPath), "bookings");
}

/** @throws CommanderError when the options name no event */
function eventOf(
  io: CliIo,
  { show, channel, start, minutes: length, name }: AddOptions,
): Omit<TimerOrder, "device_id"> {
  if (show !== undefined) return { show_id: show };
  if (channel === undefined || start === undefined || length === undefined) {
    throw usageError(io, "choose what to record: --show ID, or --channel ID --start TIME --minutes NUMBER");
  }
  return {
    channel_id: channel,
    start_time: start,
    duration_minutes: length,
    ...(name === undefined ? {} : { name }),
  };
}

function setCommand(io: CliIo): Command {
  const command = guideLeaf("set", "change a timer; fields that are not given keep their values")
    .argument("<id>", "id of the timer", filled)
    .option(
      "--state <word>",
      `state to set: ${TIMER_STATES.join(", ")}, or another that the service knows`,
      filled,
    )
    .option("--device <id>", "recorder to use", numberId);
  return withChangeOptions(command).action((id: string, options: ChangeOptions) => {
    const change = changeOf(options);
    if (Object.keys(change).length === 0) {
      throw usageError(
        io,
        "nothing to change: give --state, --message, --pre, --post, --padding-type or --device",
      );
    }
    return withOrders(io, options, async ({ client }) => {
      const answer = await client.setTimer(id, change, io.signal);
      printAnswer(io, { answer, options }, ({ timers }) => changedText(io, timers, `timer ${id}: changed`));
    });
  });
}

function deleteCommand(io: CliIo, name: string): Command {
  return guideLeaf(name, "delete a timer, also on its recorder")
    .argument("<id>", "id of the timer", filled)
    .action((id: string, options: GuideOptions) =>
      withOrders(io, options, async ({ client }) => {
        // A service takes any id for deleted, also one that was mistyped.
        await client.timer(id, io.signal);
        await client.deleteTimer(id, io.signal);
        printDone(io, options, `timer ${id}: deleted`);
      }),
    );
}
