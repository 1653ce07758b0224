import { priorityOf } from "../../../model/priority.ts";
import type { Programme } from "../../../model/programme.ts";
import type { Recording } from "../../../model/recording.ts";
import { type Channel, type Triplet, tripletKey } from "../../../model/service.ts";
import { MINUTE } from "../../../model/time.ts";
import type { Timer } from "../../../model/timer.ts";
import type { TimerOverride } from "../../../model/timer-override.ts";
import { canReceive, type TunerFacts } from "../../../model/tuner.ts";
import { type Padding, padded } from "../../../model/window.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { DaemonDocument } from "./document.ts";
import type { World } from "./draft.ts";

type Order = Pick<
  Recording,
  | "name"
  | "showId"
  | "programme"
  | "channelId"
  | "channelName"
  | "service"
  | "event"
  | "padding"
  | "window"
  | "priority"
  | "rule"
>;

/** The inputs of an order beside its timer. */
interface OrderContext {
  readonly document: Pick<DaemonDocument, "channels">;
  readonly world: Pick<World, "policy" | "tuners">;
}

/**
 * The recording fields that follow from a timer; `programme`: its show's data; `override`: the timer's own settings.
 */
export function orderOf(
  { document, world }: OrderContext,
  timer: Timer,
  {
    programme,
    override = {},
  }: { readonly programme?: Programme | undefined; readonly override?: TimerOverride | undefined },
): Order {
  const channel = document.channels[timer.channelId];
  const padding = override.padding ?? paddingFor(timer, world.policy.padding);
  const service = channel === undefined ? undefined : serviceOf(channel, world.tuners);
  const channelName = channel?.name ?? `channel ${timer.channelId}`;
  const { priorities: rules, timeZone } = world.policy;
  const showId = showIdOf(timer);
  const series = programme?.seriesId;
  return {
    name: timer.name,
    ...withoutUndefined({ showId, programme, rule: timer.rule }),
    channelId: timer.channelId,
    channelName,
    ...(service === undefined ? {} : { service }),
    event: timer.event,
    padding,
    window: padded(timer.event, padding),
    priority: override.priority ?? priorityOf(timer, { rules, channelName, series, timeZone }),
  };
}

/** The service writes 0 for a show that is not in its guide. */
export function showIdOf({ showId }: Timer): string | undefined {
  return showId === "0" ? undefined : showId;
}

function paddingFor({ beforeMinutes, afterMinutes }: Timer, defaults: Padding): Padding {
  return {
    beforeMs: beforeMinutes === undefined ? defaults.beforeMs : beforeMinutes * MINUTE,
    afterMs: afterMinutes === undefined ? defaults.afterMs : afterMinutes * MINUTE,
  };
}

/** The first of a channel's services that a tuner can receive. */
export function serviceOf({ triplets }: Channel, tuners: readonly TunerFacts[]): Triplet | undefined {
  return (
    triplets.find((triplet) => tuners.some((tuner) => canReceive(tuner, tripletKey(triplet)))) ?? triplets[0]
  );
}
