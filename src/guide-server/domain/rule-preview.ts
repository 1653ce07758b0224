import type { EpochMs } from "../../model/time.ts";
import { expandInSteps, isOpen } from "../../rules/expansion.ts";
import { LoopShare } from "../../rules/loop-share.ts";
import { type Matches, matchesOf } from "../../rules/outcome.ts";
import type { Account, GuideTables, Rule } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isRefusal, notAcceptable, type Refusal } from "../refusal.ts";
import { expansionInput, rulesOfDevice, timersOfDevice } from "./expand-device.ts";
import { compiledRule, ruleSetOf } from "./ordering-rules.ts";
import { searchAll } from "./rule-airings.ts";
import { type PlacedOrder, unknownPlace } from "./rule-orders.ts";
import { NO_RULE, ruleOf } from "./rules.ts";
import { roomFor } from "./timer-lists.ts";

interface PreviewOrder {
  readonly placed: PlacedOrder;
  /** The rule that the order would replace. */
  readonly replaces: number | undefined;
  readonly now: EpochMs;
}

/**
 * The shows of the next two weeks that an order would record, beside the other rules: the same search and expansion as that of
 * a stored rule. A paused order is shown as if it were not paused.
 */
export async function previewRule(
  tables: GuideTables,
  account: Account,
  { placed, replaces, now }: PreviewOrder,
): Promise<Matches | Refusal> {
  const unknown = unknownPlace(tables, account, placed);
  if (unknown !== undefined) return unknown;
  const rule = previewedRule(tables, account, { placed, replaces, now });
  if (isRefusal(rule)) return rule;
  const others = rulesOfDevice(tables, rule.deviceId).filter(({ id }) => id !== rule.id);
  const rules = await ruleSetOf(tables, account, [...others, rule]);
  const compiled = compiledRule(rule);
  const timers = timersOfDevice(tables, rule.deviceId);
  const { airingsPreviewed: wantedMax, previewMs } = SERVER_LIMITS;
  const span = { startFrom: now, startBefore: now + previewMs };
  const { wanted, airings } = await searchAll(tables, {
    rules,
    sought: [compiled],
    timers,
    ...span,
    wantedMax,
  });
  if (rules.exhausted.some(({ id }) => id === rule.id)) return TOO_MUCH;
  const share = new LoopShare();
  const episodes = new Set(airings.map(({ episode }) => episode));
  const input = {
    ...expansionInput(tables, { deviceId: rule.deviceId, airings, now }),
    // The search has left out the shows of the others.
    timers: timers.filter((timer) => !isOpen(timer, now) || episodes.has(timer.episode ?? "")),
  };
  const expansion = await share.run(expandInSteps(input));
  const outcomes = matchesOf({
    rule: compiled.rule,
    input,
    expansion,
    until: wanted[wantedMax - 1]?.show.start,
    withinMs: previewMs,
    listedMax: SERVER_LIMITS.previewMatches,
    room: roomFor(tables, account, now),
  });
  return await share.run(outcomes);
}

const TOO_MUCH = notAcceptable(
  "expression",
  "The expression takes too long for so much text: search titles, or name channels or a genre.",
);

/** Ranks after every stored rule, as a new rule does. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

function previewedRule(
  tables: GuideTables,
  account: Account,
  { placed, replaces, now }: PreviewOrder,
): Rule | Refusal {
  const before =
    replaces === undefined ? undefined : ruleOf(tables, account, { id: String(replaces), kind: "rule" });
  if (replaces !== undefined && before === undefined) return NO_RULE.rule;
  const { isPaused: _paused, quality, ...order } = placed.order;
  const whose = before ?? { id: NEW_ID, accountId: account.id, deviceId: 0, createdAt: now };
  const { deviceId = whose.deviceId } = placed;
  return { ...whose, deviceId, quality, wants: { kind: "rule", order } };
}
