import type { Programme, Programmes } from "../../../model/programme.ts";
import { hasFile, inMotion, isBefore, isOpen, isTerminal, type Recording } from "../../../model/recording.ts";
import type { ReportFacts } from "../../../model/report-facts.ts";
import { sameRule } from "../../../model/rule.ts";
import type { Channel } from "../../../model/service.ts";
import type { Timer, TimerId, TimerList } from "../../../model/timer.ts";
import type { TimerOverride } from "../../../model/timer-override.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { englishMessage } from "../../report/core/message.ts";
import { enqueue } from "../../report/core/outbox.ts";
import { type Change, reconcile } from "../../sync/core/reconcile.ts";
import { awaitList } from "./clock.ts";
import { orderNextClosingStep } from "./closing.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import { newChanges, noteForget } from "./list-memory.ts";
import { orderOf, showIdOf } from "./recording-order.ts";
import { formerId } from "./survivors.ts";
import { recomputePriority } from "./timer-override.ts";

/**
 * Applies the service's timer list; `absent` are timers that silently vanished from it. A list with much news
 * is applied in portions: the remaining news is found again with the next one.
 */
export function applyTimerList(draft: Draft, list: TimerList, absent: readonly TimerId[] = []): void {
  if (applyNews(draft, list) === "in part") {
    // The remaining news may change any order, so decisions wait for it.
    awaitList(draft);
    return draft.deferRest({ kind: "timers-fetched", list, absent });
  }
  if (draft.document.listAwaitedUntil !== 0) draft.update({ listAwaitedUntil: 0 });
  // An untrusted clock cannot tell which of them lie ahead; the next list names them again.
  if (draft.clockUntrusted) return;
  for (const id of absent) withdrawAbsent(draft, id);
}

function applyNews(draft: Draft, list: TimerList): "whole" | "in part" {
  const changes = reconcile(draft.document.timers, list);
  const all = newChanges(draft, list, changes);
  if (all.length === 0) return "whole";
  const timers = { ...draft.document.timers };
  const refusedEntries = { ...draft.document.refusedEntries };
  const news = draft.clockUntrusted ? withoutClockDependent(draft, all) : all;
  const portion = news.slice(0, ENGINE_LIMITS.newsAtOnce);
  const latest = latestByTimer(draft.recordings(), portion.map(knownTimerId));
  for (const change of portion) {
    if (change.kind === "malformed") {
      const { id, reason } = change.entry;
      if (id !== undefined) {
        refusedEntries[id] = reason;
        reportUnreadable(draft, { timerId: id, reason, recording: latest.get(id) });
      }
      continue;
    }
    const { timer } = change;
    const recording = latest.get(knownTimerId(change));
    if (isOfNextBroadcast(timer, recording)) continue;
    if (change.kind === "withdrawn") delete timers[timer.id];
    else timers[timer.id] = timer;
    const wasRefused = Object.hasOwn(refusedEntries, timer.id);
    delete refusedEntries[timer.id];
    if (recording === undefined && change.kind === "added" && wasRefused) {
      // The entry is readable now: the service's failed state comes from our own report.
      addRecording(draft, { ...timer, state: "unknown" });
      continue;
    }
    if (change.kind === "rekeyed" && recording !== undefined) {
      delete timers[change.before.id];
      applyChange(draft, change, rekey(draft, recording, timer.id));
    } else {
      applyChange(draft, change, recording);
    }
  }
  draft.update({ timers, refusedEntries });
  return news.length > portion.length ? "in part" : "whole";
}

/**
 * Whether the timer orders a later broadcast while the file of the earlier one is closing. The file would be measured against the
 * wrong event, so the change waits: the first list after closing has it again.
 */
function isOfNextBroadcast({ action, event }: Timer, recording: Recording | undefined): boolean {
  if (action !== "record" || recording?.state !== "closing" || recording.withdrawn) return false;
  return event.start >= recording.event.stop;
}

/** The timer's id in the document, if it has one. */
function knownTimerId(change: Change): TimerId | undefined {
  if (change.kind === "malformed") return change.entry.id;
  return change.kind === "rekeyed" ? change.before.id : change.timer.id;
}

/** Stores the channel list; recordings that have not begun follow it. */
export function applyChannels(draft: Draft, channels: readonly Channel[]): void {
  const next = Object.fromEntries(channels.map((channel) => [channel.id, channel]));
  if (JSON.stringify(next) === JSON.stringify(draft.document.channels)) return;
  draft.update({ channels: next });
  for (const recording of draft.recordings()) {
    const timer = draft.document.timers[recording.timerId];
    if (timer !== undefined && isBefore(recording)) followTimer(draft, recording, timer);
  }
}

/** Stores programme data of shows: for names, rules by series and sidecars. */
export function applyProgrammes(draft: Draft, programmes: Programmes): void {
  for (const recording of draft.recordings()) {
    const { showId } = recording;
    if (showId === undefined || !Object.hasOwn(programmes, showId)) continue;
    const programme = programmes[showId];
    if (programme === undefined || sameProgramme(programme, recording.programme)) continue;
    const next = { ...recording, programme };
    // Due sidecars are ordered together.
    draft.put(hasFile(next) ? { ...next, sidecarDue: true } : next);
    if (isOpen(next)) recomputePriority(draft, next);
  }
}

/** Both versions have their fields in the same order. */
function sameProgramme(one: Programme, other: Programme | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function applyChange(
  draft: Draft,
  change: Exclude<Change, { readonly kind: "malformed" }>,
  recording: Recording | undefined,
): void {
  if (change.kind === "withdrawn") withdrawTimer(draft, change.timer, recording);
  else if (recording === undefined) addRecording(draft, change.timer);
  // Ordered again: the withdrawn recording ends as such, and the rest of the event is another recording.
  else if (recording.withdrawn && change.timer.event.stop > draft.airNow) addRecording(draft, change.timer);
  else if (!isTerminal(recording.state)) followTimer(draft, recording, change.timer);
  else if (isStillToRecord(draft, change.timer, recording))
    addRecording(draft, withoutOwnFailure(change.timer, recording), recording.override);
  else retitle(draft, recording, change.timer);
}

/**
 * Whether a moved event leaves something to record after its recording ended; for a missed recording also its rest.
 */
function isStillToRecord({ airNow: now }: Draft, { event }: Timer, { state }: Recording): boolean {
  return event.start > now || (state === "missed" && event.stop > now);
}

/** The timer without a failed state that our own report about its earlier time has caused. */
function withoutOwnFailure(timer: Timer, { state }: Recording): Timer {
  const isOurWord = timer.state === "failed" && (state === "missed" || state === "failed");
  return isOurWord ? { ...timer, state: "unknown" } : timer;
}

/** A finished recording keeps its file's name; its sidecars follow the guide. */
function retitle(draft: Draft, recording: Recording, { name }: Timer): void {
  const next = withTitle(recording, name);
  if (next === recording || !hasFile(next)) return;
  draft.put({ ...next, sidecarDue: true });
  draft.order({ kind: "annotate", recordingId: next.id });
}

function withTitle(recording: Recording, name: string): Recording {
  const { renamed: before, ...rest } = recording;
  if (name === (before ?? recording.name)) return recording;
  return name === recording.name ? rest : { ...rest, renamed: name };
}

/** The changes that do not depend on an untrusted clock. The first list after it brings the others again. */
function withoutClockDependent(draft: Draft, changes: readonly Change[]): readonly Change[] {
  const latest = latestByTimer(draft.recordings(), changes.map(knownTimerId));
  return changes.filter((change) => !dependsOnClock(draft, change, latest));
}

/** Whether only the clock can tell if an order is too late, or needs another recording. */
function dependsOnClock(draft: Draft, change: Change, latest: Latest): boolean {
  if (change.kind === "malformed" || change.kind === "withdrawn") return false;
  const { timer } = change;
  const recording = latest.get(knownTimerId(change));
  if (recording === undefined) return timer.event.stop <= draft.airNow - ENGINE_LIMITS.historyMs;
  return recording.withdrawn || isTerminal(recording.state);
}

/**
 * Moves a recording to the timer's new id at the service: one recording, one file. All reports go to the new id,
 * since nothing was reported to it yet.
 */
function rekey(draft: Draft, recording: Recording, timerId: TimerId): Recording {
  const { reported: _toTheOldId, ...rest } = recording;
  const next = draft.put({ ...rest, timerId });
  const outbox = draft.document.outbox.filter(
    (report) => report.recordingId !== recording.id || report.acknowledgesForget,
  );
  draft.update({ outbox });
  draft.note("rekeyed", next, { before: recording.timerId });
  return next;
}

/** Ends a planned recording whose timer silently vanished. A running one goes on: only `forget` ends that. */
function withdrawAbsent(draft: Draft, timerId: TimerId): void {
  if (!Object.hasOwn(draft.document.timers, timerId)) return;
  const { [timerId]: _gone, ...timers } = draft.document.timers;
  const recording = latestByTimer(draft.recordings(), [timerId]).get(timerId);
  if (recording !== undefined && inMotion(recording.state)) return;
  draft.update({ timers });
  if (recording === undefined || isTerminal(recording.state)) return;
  draft.note("absence-confirmed", recording);
  draft.move(recording, "withdrawn", { withdrawn: true });
}

/** Adds a recording for a timer; `override`: the one of the timer's earlier recording. */
function addRecording(draft: Draft, timer: Timer, override?: TimerOverride): void {
  // A timer that the service lists as done is not recorded again; one with an unknown action is only shown.
  if (timer.action !== "record" || timer.state === "completed" || timer.state === "failed") return;
  // Its recording may have left the document since: it is not missed now.
  if (timer.event.stop <= draft.airNow - ENGINE_LIMITS.historyMs) return;
  const recording = draft.put({
    ...orderOf(draft, timer, { override }),
    ...(override === undefined ? {} : { override }),
    id: formerId(draft, timer) ?? draft.nextRecordingId(),
    timerId: timer.id,
    // The same decision plans it and may find a tuner.
    state: "conflicted",
    withdrawn: false,
    attempts: [],
  });
  const { name, channelName, event } = recording;
  draft.note("ordered", recording, {
    name,
    channel: channelName,
    start: event.start,
    stop: event.stop,
    ...(timer.rule === undefined ? {} : { rule: timer.rule.id }),
  });
}

/**
 * Applies a changed timer. A moved, longer or shorter event is followed, also during the recording; the name
 * changes until it begins.
 */
function followTimer(draft: Draft, recording: Recording, timer: Timer): void {
  const { service: _held, rule: _former, programme, ...kept } = recording;
  const isSameShow = recording.showId === showIdOf(timer);
  // Repeats of another show do not apply to this one.
  const { repeats: _theirs, healing: _done, ...others } = kept;
  const rest = isSameShow ? kept : others;
  const known = isBefore(recording) && !isSameShow ? undefined : programme;
  const order = orderOf(draft, timer, { programme: known, override: recording.override });
  const { event, padding, window, priority, rule, ...about } = order;
  const followed = { event, padding, window, priority, ...withoutUndefined({ rule }) };
  const { rule: _replaced, ...begun } = withTitle(recording, timer.name);
  const next: Recording = isBefore(recording)
    ? { ...rest, ...about, ...followed }
    : { ...begun, ...followed };
  if (orderKey(next) === orderKey(recording)) return;
  draft.put(next);
  if (!sameRule(rule, recording.rule)) {
    draft.note("rule-changed", next, { priority, ...withoutUndefined({ rule: rule?.id }) });
    if (guideKey(next) === guideKey(recording)) return;
  }
  draft.note("order-changed", next, { start: next.event.start, stop: next.event.stop });
}

/** The whole order. */
function orderKey(recording: Recording): string {
  const { rule, priority } = recording;
  return JSON.stringify([guideKey(recording), rule, priority]);
}

/** Omits the window, which follows from the event, its padding and the broadcast. */
function guideKey(recording: Recording): string {
  const { name, renamed, showId, channelName, service, event, padding } = recording;
  return JSON.stringify([name, renamed, showId, channelName, service, event, padding]);
}

function withdrawTimer(draft: Draft, timer: Timer, recording: Recording | undefined): void {
  if (recording !== undefined && !isTerminal(recording.state) && !recording.withdrawn) {
    const moved = draft.move(recording, "withdrawn", { withdrawn: true });
    if (moved?.state === "closing") orderNextClosingStep(draft, moved);
    else if (moved === undefined) draft.put({ ...recording, withdrawn: true });
  }
  const { tellings } = noteForget(draft, timer.id);
  const kept = recording?.attempts.some(({ flowingAt }) => flowingAt !== undefined) ?? false;
  const content: ReportFacts = { about: { is: "withdrawn", isPartKept: kept } };
  const report = {
    seq: draft.nextReport(),
    timerId: timer.id,
    state: "completed" as const,
    message: englishMessage(content, draft.world.policy),
    content,
    acknowledgesForget: true,
    ...(tellings > 1 ? { insists: true } : {}),
    madeAt: draft.now,
  };
  draft.note("report-made", recording ?? { timerId: timer.id }, {
    state: report.state,
    message: report.message,
  });
  draft.update({ outbox: enqueue(draft.document.outbox, [report]) });
  draft.order({ kind: "deliver" });
}

interface Unreadable {
  readonly timerId: TimerId;
  readonly reason: string;
  readonly recording: Recording | undefined;
}

/**
 * Reports an unreadable entry as failed; the others are processed. If the earlier order is still being
 * recorded, it has not failed: only the message is sent.
 */
function reportUnreadable(draft: Draft, { timerId, reason, recording }: Unreadable): void {
  draft.note("not-understood", recording ?? { timerId }, { text: reason });
  if (recording !== undefined && (isTerminal(recording.state) || recording.withdrawn)) return;
  const known = recording !== undefined;
  const content: ReportFacts = { about: { is: "not-understood", reason, isOrderKept: known } };
  const report = {
    seq: draft.nextReport(),
    timerId,
    ...(known ? {} : { state: "failed" as const }),
    message: englishMessage(content, draft.world.policy),
    content,
    acknowledgesForget: false,
    madeAt: draft.now,
  };
  draft.note("report-made", recording ?? { timerId }, { message: report.message });
  draft.update({ outbox: enqueue(draft.document.outbox, [report]) });
  draft.order({ kind: "deliver" });
}

type Latest = ReadonlyMap<TimerId | undefined, Recording>;

function latestByTimer(recordings: readonly Recording[], timerIds: readonly (TimerId | undefined)[]): Latest {
  const wanted = new Set(timerIds);
  const latest = new Map<TimerId, Recording>();
  for (const recording of recordings) {
    if (!wanted.has(recording.timerId)) continue;
    const other = latest.get(recording.timerId);
    if (other === undefined || other.id < recording.id) latest.set(recording.timerId, recording);
  }
  return latest;
}
