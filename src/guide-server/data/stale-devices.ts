import type { EpochMs } from "../../model/time.ts";
import { localTimeIn } from "../../rules/local-time.ts";
import { RuleSet, reachOf } from "../../rules/rule-set.ts";
import { compiledRule } from "../domain/ordering-rules.ts";
import type { Show } from "./show.ts";
import type { Change, RecordOf, Rule, StoredTimer, TableName } from "./tables.ts";

/**
 * Devices whose timers may no longer match their rules because related data has changed; only these are expanded.
 * Held in memory: after a start every device may be stale.
 */
export class StaleDevices {
  readonly #rules: () => Iterable<Rule>;
  readonly #devices = new Set<number>();
  readonly #series = new Set<string>();
  readonly #titles = new Set<string>();
  /** Show id → devices with a timer for it. */
  readonly #timers = new Map<number, Set<number>>();
  readonly #lookedAt = new Map<number, EpochMs>();
  readonly #running = new Map<number, Promise<void>>();

  /** @param rules those of all accounts */
  constructor(rules: () => Iterable<Rule>) {
    this.#rules = rules;
  }

  /** Called for every change of the data, with the record before it. */
  recordChange(change: Change, before: RecordOf<TableName> | undefined): void {
    if (change.table === "rules") {
      for (const rule of recordsOf<Rule>(change, before)) this.#devices.add(rule.deviceId);
    }
    if (change.table !== "timers") return;
    const timers = recordsOf<StoredTimer>(change, before);
    if (timers.length === 2 && timers.every((timer) => comparisonKey(timer) === comparisonKey(timers[0])))
      return;
    for (const { deviceId, showId } of timers) {
      this.#devices.add(deviceId);
      if (showId !== 0) this.#timers.set(showId, (this.#timers.get(showId) ?? new Set()).add(deviceId));
    }
  }

  /** Called for every written show. */
  recordShows(shows: readonly Show[]): void {
    for (const { id, seriesId, title } of shows) {
      this.#series.add(seriesId);
      this.#titles.add(title);
      for (const deviceId of this.#timers.get(id) ?? []) this.#devices.add(deviceId);
    }
  }

  /**
   * Runs the work for a device if it must be expanded now. Requests at the same time wait for the same work, and look
   * again after it.
   *
   * @param wanted `since`: a device expanded before is expanded again without a mark
   */
  async settle(
    { deviceId, since, now }: { readonly deviceId: number; readonly since: EpochMs; readonly now: EpochMs },
    work: () => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const running = this.#running.get(deviceId);
      if (running === undefined) break;
      await running;
    }
    if (!this.#takeIfStale({ deviceId, since })) return;
    this.#lookedAt.set(deviceId, now);
    const done = work().finally(() => this.#running.delete(deviceId));
    this.#running.set(deviceId, done);
    await done;
  }

  /** Whether the device must be expanded now; clears its mark. */
  #takeIfStale({ deviceId, since }: { readonly deviceId: number; readonly since: EpochMs }): boolean {
    this.#resolve();
    const marked = this.#devices.delete(deviceId);
    return marked || (this.#lookedAt.get(deviceId) ?? Number.NEGATIVE_INFINITY) <= since;
  }

  /** Maps changed shows to devices through the current rules. */
  #resolve(): void {
    if (this.#series.size === 0) return;
    const titles = this.#titles.size > TITLES_COMPARED ? undefined : this.#titles;
    const compiled = [...this.#rules()].map((stored) => ({ stored, rule: compiledRule(stored) }));
    const byTitle = new RuleSet(
      compiled.map(({ rule }) => rule),
      localTimeIn("UTC"),
    );
    const titled = new Set([...(titles ?? [])].flatMap((title) => byTitle.titled(title)));
    for (const { stored, rule } of compiled) {
      const reach = reachOf(rule);
      const isMeant =
        titles === undefined || reach === "text" || reach === "series"
          ? reach !== "series" || this.#series.has(rule.rule.wants.seriesId ?? "")
          : titled.has(rule);
      if (isMeant) this.#devices.add(stored.deviceId);
    }
    this.#series.clear();
    this.#titles.clear();
  }
}

/** Comparing more titles with rules costs more than expanding again. */
const TITLES_COMPARED = 500;

function recordsOf<T>(change: Change, before: RecordOf<TableName> | undefined): readonly T[] {
  const records = [before, change.kind === "put" ? change.record : undefined];
  return records.filter((record) => record !== undefined) as unknown as readonly T[];
}

/** The fields of a timer that affect other timers. */
function comparisonKey(timer: StoredTimer | undefined): string {
  if (timer === undefined) return "";
  const { deviceId, showId, action, state, removedAt, episode } = timer;
  return JSON.stringify([deviceId, showId, action, state, removedAt !== undefined, episode]);
}
