import type { Document } from "../../../guide-wire/documents.ts";
import { orderFields } from "../../../guide-wire/rule-fields.ts";
import type { RuleMatch as WireMatch, Rule as WireRule } from "../../../guide-wire/rule-records.ts";
import { RULE_OUTCOMES, type Rule, type RuleMatch, type RuleOutcome } from "../../../model/rule.ts";
import { parseWireInstant } from "../../../model/time.ts";
import type { Timer } from "../../../model/timer.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { RulePreview, RuleRequest } from "../../../web/guide-api.ts";
import { RuleOrderSchema } from "../../../web/rule-schema.ts";

/** A rule of the service; `undefined` if it has conditions that we do not know. */
export function ruleOf(wire: WireRule): Rule | undefined {
  const { id, device_id: deviceId, created_at = "" } = wire;
  const order = RuleOrderSchema.safeParse(orderFields(wire));
  return order.success
    ? { ...order.data, id, deviceId, createdAt: parseWireInstant(created_at) ?? 0 }
    : undefined;
}

/** The matches of the service; one without a time or with an unknown outcome is left out. */
export function previewOf({
  rule_matches,
  total,
  records,
  unidentified,
  counted_until = "",
}: Document<"rule-matches">): RulePreview {
  const matches = rule_matches.flatMap((match) => matchOf(match) ?? []);
  const countedUntil = parseWireInstant(counted_until);
  return { matches, total, records, unidentified, ...withoutUndefined({ countedUntil }) };
}

function matchOf(wire: WireMatch): RuleMatch | undefined {
  const { show_id: showId, channel_id: channelId, title, subtitle, outcome, is_identified } = wire;
  const [start, stop] = [parseWireInstant(wire.start), parseWireInstant(wire.stop)];
  if (start === undefined || stop === undefined || stop <= start || !isOutcome(outcome)) return undefined;
  return {
    showId,
    channelId,
    title,
    ...withoutUndefined({ subtitle }),
    start,
    stop,
    outcome,
    isIdentified: is_identified !== 0,
  };
}

function isOutcome(text: string): text is RuleOutcome {
  return RULE_OUTCOMES.some((outcome) => outcome === text);
}

/** The timer that a rule would have for a show, by the show's id. */
export function timerFor({ showId, channelId, title, start, stop }: RuleMatch, order: RuleRequest): Timer {
  const { beforeMinutes, afterMinutes, priority } = order;
  return {
    id: String(showId),
    name: title,
    deviceId: String(order.deviceId ?? 0),
    channelId: String(channelId),
    showId: String(showId),
    event: { start, stop },
    action: "record",
    state: "new",
    ...withoutUndefined({ beforeMinutes, afterMinutes }),
    seriesRecordingId: "0",
    keywordId: "0",
    rule: { id: 0, ...withoutUndefined({ priority }) },
  };
}
