// The protections of the recorder, and how to take each of them out. `find` is in its file exactly once; `put` takes its place.
// `without` says what the recorder is then: scripts/mutations.mjs shows that the simulation of weeks notices,
// or, where chance brings the moment too seldom into a week, that the named test does.

const absence = "src/recorder/sync/core/absence.ts";
const acts = "src/recorder/engine/runtime/acts.ts";
const backOff = "src/kit/time/back-off.ts";
const closing = "src/recorder/engine/core/closing.ts";
const decide = "src/recorder/engine/core/decide.ts";
const delivery = "src/recorder/report/delivery.ts";
const engine = "src/recorder/engine/runtime/engine.ts";
const errors = "src/model/errors.ts";
const message = "src/recorder/report/core/message.ts";
const outbox = "src/recorder/report/core/outbox.ts";
const planning = "src/recorder/engine/core/planning.ts";
const poll = "src/recorder/sync/poll.ts";
const reconcile = "src/recorder/sync/core/reconcile.ts";
const rekey = "src/recorder/sync/core/rekey.ts";
const settle = "src/recorder/engine/core/settle.ts";
const leases = "src/recorder/engine/core/leases.ts";
const timers = "src/recorder/engine/core/timers.ts";

export const PROTECTIONS = [
  {
    name: "quarantine of empty and shrunken lists",
    decides: "R-12",
    without: "What one list lacks is withdrawn at once.",
    file: absence,
    edits: [
      {
        find: `    missing.polls >= policy.confirmPolls &&
    monotonicMs - missing.sinceMs >= policy.confirmMs
`,
        put: `    missing.polls >= 0 && policy !== undefined && monotonicMs >= 0
`,
      },
    ],
  },
  {
    name: "absence ends nothing that runs",
    decides: "R-18",
    without: "A recording is ended when its timer silently leaves the list.",
    file: timers,
    edits: [
      {
        find: `  if (recording !== undefined && inMotion(recording.state)) return;
  draft.update({ timers });
  if (recording === undefined || isTerminal(recording.state)) return;
  draft.note("absence-confirmed", recording);
  draft.move(recording, "withdrawn", { withdrawn: true });`,
        put: `  draft.update({ timers });
  if (recording === undefined || isTerminal(recording.state)) return;
  draft.note("absence-confirmed", recording);
  const moved = draft.move(recording, "withdrawn", { withdrawn: true });
  if (moved?.state === "closing") orderNextClosingStep(draft, moved);`,
      },
    ],
  },
  {
    name: "a failed poll changes nothing",
    decides: "R-11",
    without: "Where no list comes, an empty one is taken for it.",
    file: poll,
    edits: [
      {
        find: "const list = await account.timers(signal);",
        put: "const list = await account.timers(signal).catch(() => ({ timers: [], malformed: [] }));",
      },
    ],
  },
  {
    name: "forgets first",
    decides: "R-13",
    without: "Of a `record` and a `forget` for one timer, the `record` wins.",
    file: reconcile,
    edits: [{ find: `(timer.action === "forget" ? "1" : "0") + orderKey(timer)`, put: "orderKey(timer)" }],
  },
  {
    name: "an unchanged list changes nothing",
    decides: "R-14",
    without: "Every timer of every list is taken for a changed one.",
    file: reconcile,
    edits: [
      {
        find: `return sameOrder(before, timer) ? undefined : { kind: "changed", timer, before };`,
        put: `return { kind: "changed", timer, before };`,
      },
    ],
  },
  {
    name: "isolation of malformed entries",
    decides: "R-15",
    without: "A list with an entry that cannot be read is passed over as a whole.",
    file: timers,
    edits: [
      {
        find: "  const changes = reconcile(draft.document.timers, list);",
        put: `  if (list.malformed.length > 0) return;
  const changes = reconcile(draft.document.timers, list);`,
      },
    ],
  },
  {
    name: "an entry that cannot be read is no absent one",
    decides: "R-15",
    without: "A timer whose entry cannot be read for a while is absent.",
    file: rekey,
    edits: [
      {
        find: "idsOf([...list.timers, ...list.malformed])",
        put: "idsOf(list.timers)",
      },
      {
        file: absence,
        find: "  if (list.malformed.some(({ id }) => id === undefined)) return { memory, confirmed: [] };",
        put: "",
      },
    ],
  },
  {
    name: "re-keyed events are found again",
    decides: "R-16",
    without: "A timer with a new id is a new order.",
    file: rekey,
    edits: [
      {
        find: "if (gone.length === 0) return new Map();",
        put: "if (gone.length >= 0) return new Map();",
      },
    ],
  },
  {
    name: "a running window follows its event",
    decides: "R-18",
    without: "An event that grows or shrinks while it is recorded is not followed.",
    file: timers,
    edits: [
      {
        find: "    : { ...withTitle(recording, timer.name), event, padding, window, priority };",
        put: "    : { ...withTitle(recording, timer.name), priority };",
      },
    ],
  },
  {
    name: "commit before act",
    decides: "R-08",
    without: "Commands are carried out before the document that orders them is written.",
    file: engine,
    edits: [
      {
        find: "      if (decided.document !== before) await store.commit(decided.document);",
        put: `      for (const command of decided.commands) act(command);
      if (decided.document !== before) await store.commit(decided.document);`,
      },
      {
        find: "    for (const command of commands) act(command);",
        put: "    if (commands.length < 0) return;",
      },
    ],
  },
  {
    name: "a newer report takes the place of older ones",
    decides: "R-08",
    without: "Reports of one timer wait side by side; one that was put off comes after newer ones.",
    file: outbox,
    edits: [
      {
        find: "return [...outbox.filter(({ timerId }) => !timerIds.has(timerId)), ...latest.values()].slice(",
        put: "return [...outbox, ...reports].slice(",
      },
    ],
  },
  {
    name: "an undelivered state is carried on",
    decides: "R-08",
    without: "A newer report without a state loses that of the one whose place it takes.",
    file: outbox,
    edits: [
      {
        find: "report.state ?? older.state",
        put: "report.state",
      },
    ],
  },
  {
    name: "a report that fails on the way is kept",
    decides: "R-08",
    without: "A report that could not be delivered is given up.",
    file: delivery,
    edits: [
      {
        find: `remedy === "give-up" && facts["html"] !== true ? "refused" : "deferred"`,
        put: `remedy !== "sign-in" ? "refused" : "deferred"`,
      },
    ],
  },
  {
    name: "states never go back",
    decides: "R-08",
    without: "After an interruption the service is told `waiting` again.",
    file: message,
    edits: [
      {
        find: "  return state === undefined || back ? { message: cut } : { state, message: cut };",
        put: "  return state === undefined || (back && false) ? { message: cut } : { state, message: cut };",
      },
    ],
  },
  {
    name: "refused states are told by message alone",
    decides: "R-08",
    without: "A report whose state the service refuses (406) is given up.",
    file: decide,
    edits: [
      {
        find: `outcome.code === "GUIDE_NOT_ACCEPTABLE";`,
        put: `outcome.code === "GUIDE_FORBIDDEN";`,
      },
    ],
  },
  {
    name: "404 ends a report",
    decides: "R-08",
    without: "A report about a timer that the service has no more is tried for ever.",
    file: errors,
    edits: [{ find: `  GUIDE_NOT_FOUND: "give-up",`, put: `  GUIDE_NOT_FOUND: "retry",` }],
  },
  {
    name: "a web page is no refusal",
    decides: "R-08",
    without: "A 404 from something in front of the service counts as one from the service.",
    file: delivery,
    edits: [
      {
        find: `remedy === "give-up" && facts["html"] !== true ? "refused" : "deferred"`,
        put: `remedy === "give-up" ? "refused" : "deferred"`,
      },
    ],
  },
  {
    name: "a 401 loses nothing",
    decides: "R-43",
    without: "What cannot be told for want of a sign-in is given up.",
    file: errors,
    edits: [{ find: `  GUIDE_SIGN_IN_NEEDED: "sign-in",`, put: `  GUIDE_SIGN_IN_NEEDED: "give-up",` }],
  },
  {
    name: "the bound of back-off towards the service",
    decides: "R-43",
    without: "The wait doubles with each failure, without end.",
    file: backOff,
    edits: [
      {
        find: "Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20))",
        put: "Math.max(maxMs * 0, firstMs * 2 ** Math.min(failures - 1, 20))",
      },
    ],
  },
  {
    name: "back-off towards the service",
    decides: "R-42",
    without: "A service that fails is asked again at once.",
    file: backOff,
    edits: [
      {
        find: "return Math.round(Math.max(doubled * (0.5 + share / 2), retryAfterMs * (1 + share / 10)));",
        put: "return Math.round(Math.max(100, (doubled + retryAfterMs + share) * 0));",
      },
    ],
  },
  {
    name: "Retry-After",
    decides: "R-43",
    without: "How long the service asks to be left alone does not count.",
    file: backOff,
    edits: [
      {
        find: "return Math.round(Math.max(doubled * (0.5 + share / 2), retryAfterMs * (1 + share / 10)));",
        put: "return Math.round(Math.max(doubled * (0.5 + share / 2), retryAfterMs * 0));",
      },
    ],
  },
  {
    name: "detection of what was missed",
    decides: "R-01",
    without: "A planned recording whose window passed goes on being planned.",
    file: settle,
    edits: [
      {
        find: `found.state !== "closing" && draft.airNow >= endOf(found);`,
        put: `found.state !== "closing" && found.state !== "planned" && draft.airNow >= endOf(found);`,
      },
    ],
  },
  {
    name: "the outage is named",
    decides: "R-01",
    without: "At start nothing says since when the recorder was off.",
    file: decide,
    edits: [
      {
        find: "  addOutage(draft, { ...outage, asleep: false, boot, sameBoot: clock?.boot === boot });",
        put: "  if (clock === undefined) addOutage(draft, { ...outage, asleep: false, boot, sameBoot: false });",
      },
    ],
  },
  {
    name: "the heartbeat",
    decides: "R-02",
    without: "The last sign of life is that of the last change.",
    file: settle,
    edits: [
      {
        find: "  return Math.min(beatAt, ...instants, ...others);",
        put: "  return Math.min(heartbeatAt > world.now ? beatAt : Infinity, ...instants);",
      },
    ],
  },
  {
    name: "verification before completed",
    decides: "R-04",
    without: "What has a file is completed, whatever is in it.",
    file: closing,
    edits: [
      {
        find: "return eventCoveredMs > 0 && eventCoveredMs >= completeFrom * eventMs;",
        put: "return eventCoveredMs > 0 && eventCoveredMs >= 0 * completeFrom * eventMs;",
      },
    ],
  },
  {
    name: "the event is judged as it was ordered last",
    decides: "R-04",
    without: "Evidence counts for the event as it was when the segments were read.",
    file: closing,
    edits: [
      {
        find: "  const found = measuredForEvent(recording, recording.evidence);",
        put: "  const found = recording.evidence;",
      },
    ],
    test: {
      file: "test/recorder/engine/core/decide.test.ts",
      name: "R-04 is not whole when its event became longer while it was closed",
    },
  },
  {
    name: "running only after payload",
    decides: "R-05",
    without: "A capture that has started counts as one that delivers.",
    file: acts,
    edits: [
      {
        find: "      return await withExplanation(session, await watch(command, id, file));",
        put: `      const { recordingId, attempt: number } = command;
      await parts.post({ kind: "attempt-flowing", recordingId, attempt: number });
      return await withExplanation(session, await watch(command, id, file));`,
      },
    ],
  },
  {
    name: "what is cut off goes on at once",
    decides: "R-06",
    without:
      "Where payload had flowed and the capture died, also with all others at once, the next try waits as after a failure.",
    file: decide,
    edits: [
      {
        find: "endedAt - startedAt < ENGINE_LIMITS.briefAttemptMs ? ENGINE_LIMITS.retryMsMin : 0;",
        put: "endedAt - startedAt < ENGINE_LIMITS.briefAttemptMs ? ENGINE_LIMITS.retryMsMin : 8 * ENGINE_LIMITS.retryMsMin;",
      },
    ],
  },
  {
    name: "adoption of captures that outlived the daemon",
    decides: "R-34",
    without: "After a restart every recording begins a new attempt.",
    file: decide,
    edits: [
      {
        find: "service !== undefined && running.has(attemptId(recordingId, number));",
        put: "service === undefined && running.has(attemptId(recordingId, number));",
      },
    ],
  },
  {
    name: "interrupted attempts are noticed at start",
    decides: "R-06",
    without: "An attempt whose capture is gone after a restart is believed to run.",
    file: decide,
    edits: [
      {
        find: "    if (latest !== undefined && isOpen(latest)) endAttempt(draft, latest, end);",
        put: "    if (end.attempt > 0) return;",
      },
    ],
  },
  {
    name: "closing goes on after a restart",
    decides: "R-06",
    without: "A recording that was being closed when the recorder ended stays so.",
    file: decide,
    edits: [
      {
        find: `  if (gone.length === 0 && recording.state === "closing") orderNextClosingStep(draft, recording);
`,
        put: "",
      },
    ],
  },
  {
    name: "one writer to a recording",
    decides: "R-30",
    without: "What is due begins, also where an attempt of it runs.",
    file: settle,
    edits: [
      {
        find: `    if (recording.state !== "planned" && recording.state !== "waiting") continue;`,
        put: `    if (isTerminal(recording.state) || recording.state === "closing") continue;`,
      },
    ],
  },
  {
    name: "one multiplex to a tuner",
    decides: "R-22",
    without: "A tuner that is held for one multiplex is free for another.",
    file: leases,
    edits: [
      {
        find: "const others = held.filter((one) => one.multiplex !== multiplex);",
        put: "const others = held.filter((one) => one.multiplex === undefined);",
      },
    ],
  },
  {
    name: "retry on another tuner",
    decides: "R-20",
    without: "A tuner that failed a recording is as good as any other.",
    file: planning,
    edits: [
      {
        find: "const avoid = recentlyFailedTuners(recording);",
        put: "const avoid = recentlyFailedTuners(recording).slice(0, 0);",
      },
    ],
  },
  {
    name: "the bound of back-off between attempts",
    decides: "R-20",
    without: "The wait before the next attempt doubles without end.",
    file: decide,
    edits: [
      {
        find: "  if (inVain > 0) return Math.min(ENGINE_LIMITS.retryMsMax, ENGINE_LIMITS.retryMsMin * 2 ** (inVain - 1));",
        put: "  if (inVain > 0) return ENGINE_LIMITS.retryMsMin * 2 ** (inVain - 1);",
      },
    ],
  },
  {
    name: "back-off between attempts",
    decides: "R-42",
    without: "An attempt that ended in vain is followed by the next at once.",
    file: decide,
    edits: [
      {
        find: "  if (inVain > 0) return Math.min(ENGINE_LIMITS.retryMsMax, ENGINE_LIMITS.retryMsMin * 2 ** (inVain - 1));",
        put: "  if (inVain > 0) return 0;",
      },
    ],
  },
  {
    name: "a broken stream is taken up again",
    decides: "R-28",
    without: "What breaks off is closed.",
    file: errors,
    edits: [{ find: `  STREAM_ENDED: "retry",`, put: `  STREAM_ENDED: "give-up",` }],
  },
  {
    name: "storage offline",
    decides: "R-32",
    without: "A recording that cannot begin because the disk is not there is given up.",
    file: errors,
    edits: [{ find: `  STORAGE_OFFLINE: "retry",`, put: `  STORAGE_OFFLINE: "give-up",` }],
  },
  {
    name: "closing is tried again",
    decides: "R-32",
    without: "A recording that could not be closed while the disk was not there stays so.",
    file: "src/recorder/engine/core/closing-blocker.ts",
    edits: [
      {
        find: "  draft.put({ ...recording, closing, nextTryAt: draft.now + ENGINE_LIMITS.retryMsMax });",
        put: "  draft.put({ ...recording, closing });",
      },
    ],
  },
  {
    name: "what falls due during a commit is still to come",
    decides: "R-03",
    without: "What falls due while the document is written waits for the next occurrence.",
    file: engine,
    edits: [
      {
        find: "    const since = Math.min(this.#decidedAt, clock.now());",
        put: "    const since = clock.now();",
      },
    ],
    test: {
      file: "test/recorder/engine/runtime/engine.test.ts",
      name: "R-03 begins a recording that fell due while the disk was busy with something else",
    },
  },
  {
    name: "trusted time",
    decides: "R-36",
    without: "What ends is ended by a clock that may be wrong.",
    file: "src/recorder/engine/core/draft.ts",
    edits: [
      {
        find: "    return this.world.clock.suspendsDecisions;",
        put: "    return this.world.clock.suspendsDecisions && this.now < 0;",
      },
    ],
  },
];
