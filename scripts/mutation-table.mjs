// The protections of the recorder, and how to remove each. `find` occurs exactly once in its file; `put` replaces it.
// `without` describes the recorder then. scripts/mutations.mjs checks that the simulated weeks detect it,
// or the named test, if the moment is too rare in a week.

const absence = "src/recorder/sync/core/absence.ts";
const attemptActs = "src/recorder/engine/runtime/attempt-acts.ts";
const attempt = "src/recorder/engine/core/attempt.ts";
const backOff = "src/kit/time/back-off.ts";
const closing = "src/recorder/engine/core/closing.ts";
const decide = "src/recorder/engine/core/decide.ts";
const survivors = "src/recorder/engine/core/survivors.ts";
const delivery = "src/recorder/report/delivery.ts";
const engine = "src/recorder/engine/runtime/engine.ts";
const errors = "src/model/errors.ts";
const instantWait = "src/recorder/engine/runtime/instant-wait.ts";
const message = "src/recorder/report/core/message.ts";
const outbox = "src/recorder/report/core/outbox.ts";
const planRequests = "src/recorder/engine/core/plan-requests.ts";
const poll = "src/recorder/sync/poll.ts";
const reconcile = "src/recorder/sync/core/reconcile.ts";
const rekey = "src/recorder/sync/core/rekey.ts";
const settle = "src/recorder/engine/core/settle.ts";
const leases = "src/recorder/engine/core/leases.ts";
const timers = "src/recorder/engine/core/timers.ts";

const fleetMinutes = "test/simulator/fleet-minutes.test.ts";
const fleetDays = "test/simulator/fleet-days.test.ts";
const fleetOrders = "test/simulator/fleet-orders.test.ts";
const nodeAgent = "src/recorder/fleet/node-agent.ts";
const nodeLink = "src/recorder/fleet/node-link.ts";
const SEED_1 =
  "seed 1: a lease that is renewed is not taken, and a leader of an earlier term writes nothing and knows of its end";

export const PROTECTIONS = [
  {
    name: "quarantine of empty and shrunken lists",
    decides: "R-12",
    without: "A timer that is missing from one list is withdrawn at once.",
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
    without: "A running recording ends when its timer disappears from the list.",
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
    without: "A failed poll counts as an empty list.",
    file: poll,
    edits: [
      {
        find: "const list = await account.timers(signal, { isWhole });",
        put: "const list = await account.timers(signal, { isWhole }).catch(() => ({ timers: [], malformed: [] }));",
      },
    ],
  },
  {
    name: "forgets first",
    decides: "R-13",
    without: "If a list has a `record` and a `forget` for one timer, the `record` wins.",
    file: reconcile,
    edits: [{ find: `(timer.action === "forget" ? "1" : "0") + orderKey(timer)`, put: "orderKey(timer)" }],
  },
  {
    name: "an unchanged list changes nothing",
    decides: "R-14",
    without: "Every timer of every list counts as changed.",
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
    without: "A list with an unreadable entry is ignored as a whole.",
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
    name: "an unreadable entry does not count as absent",
    decides: "R-15",
    without: "A timer counts as absent while its entry is unreadable.",
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
    name: "an event with a new id is recognised",
    decides: "R-16",
    without: "A timer with a new id counts as a new timer.",
    file: rekey,
    edits: [
      {
        find: "if (gone.length === 0) return new Map();",
        put: "if (gone.length >= 0) return new Map();",
      },
    ],
  },
  {
    name: "a running recording follows its event",
    decides: "R-18",
    without: "A running recording ignores changes to the length of its event.",
    file: timers,
    edits: [
      {
        find: "    : { ...begun, ...followed };",
        put: "    : { ...begun, priority };",
      },
    ],
  },
  {
    name: "commit before act",
    decides: "R-08",
    without: "Commands are carried out before their document is written.",
    file: engine,
    edits: [
      {
        find: "    if (decision.document !== before) {",
        put: `    for (const command of decision.commands) this.#parts.act(command);
    if (decision.document !== before) {`,
      },
      {
        find: "      if (GOES_ON.has(command.kind)) act(command);\n      else this.#guard.whenStored(() => act(command));\n",
        put: "      if (command === undefined) return;\n",
      },
    ],
  },
  {
    name: "a newer report replaces older ones",
    decides: "R-08",
    without: "All reports of a timer stay in the outbox; a delayed one is sent after newer ones.",
    file: outbox,
    edits: [
      {
        find: "return [...outbox.filter(({ timerId }) => !timerIds.has(timerId)), ...latest.values()].slice(",
        put: "return [...outbox, ...reports].slice(",
      },
    ],
  },
  {
    name: "a new report keeps an undelivered state",
    decides: "R-08",
    without: "A newer report without a state drops the state of the report that it replaces.",
    file: outbox,
    edits: [
      {
        find: "report.state ?? older.state",
        put: "report.state",
      },
    ],
  },
  {
    name: "a failed report stays in the outbox",
    decides: "R-08",
    without: "A report is dropped after a failed delivery.",
    file: delivery,
    edits: [
      {
        find: `remedy === "give-up" && facts["html"] !== true ? "refused" : "deferred"`,
        put: `remedy !== "sign-in" ? "refused" : "deferred"`,
      },
    ],
  },
  {
    name: "reported states never go back",
    decides: "R-08",
    without: "After an interruption the recorder reports `waiting` again.",
    file: message,
    edits: [
      {
        find: "  return state === undefined || isBack ? told : { state, ...told };",
        put: "  return state === undefined || (isBack && false) ? told : { state, ...told };",
      },
    ],
  },
  {
    name: "a refused state is reported as a message only",
    decides: "R-08",
    without: "A report is dropped if the service refuses its state (406).",
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
    without: "A report about a timer that the service no longer has is retried forever.",
    file: errors,
    edits: [{ find: `  GUIDE_NOT_FOUND: "give-up",`, put: `  GUIDE_NOT_FOUND: "retry",` }],
  },
  {
    name: "a web page does not count as a refusal",
    decides: "R-08",
    without: "A 404 from a proxy in front of the service counts as one from the service.",
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
    without: "Reports are dropped while a sign-in is needed.",
    file: errors,
    edits: [{ find: `  GUIDE_SIGN_IN_NEEDED: "sign-in",`, put: `  GUIDE_SIGN_IN_NEEDED: "give-up",` }],
  },
  {
    name: "the limit of back-off towards the service",
    decides: "R-43",
    without: "The wait doubles with each failure, without a limit.",
    file: backOff,
    edits: [
      {
        find: "doublingPauseMs(failures, { firstMs, maxMs })",
        put: "doublingPauseMs(failures, { firstMs, maxMs: maxMs * 1e9 })",
      },
    ],
  },
  {
    name: "back-off towards the service",
    decides: "R-42",
    without: "A failed request is repeated at once.",
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
    without: "The recorder ignores Retry-After.",
    file: backOff,
    edits: [
      {
        find: "return Math.round(Math.max(doubled * (0.5 + share / 2), retryAfterMs * (1 + share / 10)));",
        put: "return Math.round(Math.max(doubled * (0.5 + share / 2), retryAfterMs * 0));",
      },
    ],
  },
  {
    name: "detection of missed recordings",
    decides: "R-01",
    without: "A planned recording stays planned after its window.",
    file: settle,
    edits: [
      {
        find: `found.state !== "closing" && draft.airNow >= endOf(found);`,
        put: `found.state !== "closing" && found.state !== "planned" && draft.airNow >= endOf(found);`,
      },
    ],
  },
  {
    name: "reports name the outage",
    decides: "R-01",
    without: "At start, the recorder does not know how long it was off.",
    file: decide,
    edits: [
      {
        find: "  addOutage(draft, { ...outage, asleep: false, boot, sameBoot: isSameBoot });",
        put: "  if (clock === undefined) addOutage(draft, { ...outage, asleep: false, boot, sameBoot: false });",
      },
    ],
  },
  {
    name: "the heartbeat",
    decides: "R-02",
    without: "The last change counts as the last sign of life.",
    file: settle,
    edits: [
      {
        find: "  return beatAt > now ? now : beatAt + ENGINE_LIMITS.heartbeatMs;",
        put: "  return beatAt > now ? now : Infinity;",
      },
    ],
  },
  {
    name: "the sign of life of a quiet minute",
    decides: "R-02",
    without: "A minute in which nothing is due leaves no sign of life.",
    file: instantWait,
    edits: [{ find: "        this.renewSignOfLife();\n        callOff", put: "        callOff" }],
  },
  {
    name: "a sign of life covers no sleep that is not on disk",
    decides: "R-01",
    without: "A sleep during a write is forgotten if the recorder ends right after it.",
    file: instantWait,
    edits: [{ find: "if (watch.isNoted) void", put: "if (watch !== undefined) void" }],
    test: {
      file: "test/recorder/engine/runtime/engine.test.ts",
      name: "R-01 no sign of life covers a sleep during a write before that sleep is on disk",
    },
  },
  {
    name: "verification before completed",
    decides: "R-04",
    without: "A recording with a file is completed, whatever the file contains.",
    file: closing,
    edits: [
      {
        find: "return eventCoveredMs > 0 && eventCoveredMs >= completeFrom * eventMs;",
        put: "return eventCoveredMs > 0 && eventCoveredMs >= 0 * completeFrom * eventMs;",
      },
    ],
  },
  {
    name: "evidence is judged against the latest event",
    decides: "R-04",
    without: "Evidence is judged against the event at the time of inspection.",
    file: closing,
    edits: [
      {
        find: "  const found = measuredForEvent(recording, recording.evidence);",
        put: "  const found = recording.evidence;",
      },
    ],
    test: {
      file: "test/recorder/engine/core/decide.test.ts",
      name: "R-04 is not whole if its event became longer while it was closing",
    },
  },
  {
    name: "`running` only after payload",
    decides: "R-05",
    without: "A started capture counts as one that delivers payload.",
    file: attemptActs,
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
    name: "an interrupted recording resumes immediately",
    decides: "R-06",
    without:
      "If a capture dies after payload, even together with all others, the next attempt waits as after a failure.",
    file: attempt,
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
    without: "After a restart, every recording begins a new attempt.",
    file: survivors,
    edits: [
      {
        find: "service !== undefined && running.has(attemptId(recordingId, number));",
        put: "service === undefined && running.has(attemptId(recordingId, number));",
      },
    ],
  },
  {
    name: "the start detects interrupted attempts",
    decides: "R-06",
    without: "After a restart, an attempt without a capture counts as running.",
    file: survivors,
    edits: [
      {
        find: "    if (latest !== undefined && isOpen(latest)) endAttempt(draft, latest, end);",
        put: "    if (end.attempt > 0) return;",
      },
    ],
  },
  {
    name: "closing continues after a restart",
    decides: "R-06",
    without: "A recording that was closing when the recorder ended never finishes.",
    file: survivors,
    edits: [
      {
        find: `  if (gone.length === 0 && recording.state === "closing") orderNextClosingStep(draft, recording);
`,
        put: "",
      },
    ],
  },
  {
    name: "one writer for each recording",
    decides: "R-30",
    without: "A due recording begins an attempt even if another of its attempts runs.",
    file: settle,
    edits: [
      {
        find: `    if (recording.state !== "planned" && recording.state !== "waiting") continue;`,
        put: `    if (isTerminal(recording.state) || recording.state === "closing") continue;`,
      },
    ],
  },
  {
    name: "one multiplex on each tuner",
    decides: "R-22",
    without: "A tuner in use for one multiplex is free for another.",
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
    without: "A tuner on which a recording failed is preferred as much as any other.",
    file: planRequests,
    edits: [
      {
        find: "const avoid = recentlyFailedTuners(recording);",
        put: "const avoid = recentlyFailedTuners(recording).slice(0, 0);",
      },
    ],
  },
  {
    name: "the limit of back-off between attempts",
    decides: "R-20",
    without: "The wait before the next attempt doubles without a limit.",
    file: attempt,
    edits: [
      {
        find: "  if (inVain > 0) return doublingPauseMs(inVain, { firstMs, maxMs });",
        put: "  if (inVain > 0) return doublingPauseMs(inVain, { firstMs, maxMs: maxMs * 1e9 });",
      },
    ],
  },
  {
    name: "back-off between attempts",
    decides: "R-42",
    without: "After a failed attempt, the next one begins at once.",
    file: attempt,
    edits: [
      {
        find: "  if (inVain > 0) return doublingPauseMs(inVain, { firstMs, maxMs });",
        put: "  if (inVain > 0) return 0;",
      },
    ],
  },
  {
    name: "a broken stream is captured again",
    decides: "R-28",
    without: "A recording is closed when its stream breaks off.",
    file: errors,
    edits: [{ find: `  STREAM_ENDED: "retry",`, put: `  STREAM_ENDED: "give-up",` }],
  },
  {
    name: "storage offline",
    decides: "R-32",
    without: "A recording is given up if the disk is missing at its start.",
    file: errors,
    edits: [{ find: `  STORAGE_OFFLINE: "retry",`, put: `  STORAGE_OFFLINE: "give-up",` }],
  },
  {
    name: "closing is retried",
    decides: "R-32",
    without: "A recording that could not be closed without its disk is never closed.",
    file: "src/recorder/engine/core/closing-blocker.ts",
    edits: [
      {
        find: "  draft.put({ ...recording, closing, nextTryAt: draft.now + ENGINE_LIMITS.retryMsMax });",
        put: "  draft.put({ ...recording, closing });",
      },
    ],
  },
  {
    name: "work that falls due during a commit is not skipped",
    decides: "R-03",
    without: "Work that falls due while the document is written waits for the next occurrence.",
    file: instantWait,
    edits: [
      {
        find: "    const since = Math.min(this.#decidedAt, clock.now());",
        put: "    const since = clock.now();",
      },
    ],
    test: {
      file: "test/recorder/engine/runtime/engine.test.ts",
      name: "R-03 the engine begins a recording that fell due during a slow disk write",
    },
  },
  {
    name: "trusted time",
    decides: "R-36",
    without: "Recordings are ended by a clock that may be wrong.",
    file: "src/recorder/engine/core/draft.ts",
    edits: [
      {
        find: "    return this.world.clock.suspendsDecisions;",
        put: "    return this.world.clock.suspendsDecisions && this.now < 0;",
      },
    ],
  },
  {
    name: "two sources replace a wrong clock",
    decides: "R-36",
    without: "Recordings begin by a wrong clock even if two sources agree on another time.",
    file: "src/model/clock-trust.ts",
    edits: [
      {
        find: "  if (!told.every(contradicts)) return undefined;",
        put: "  if (told.length >= 0) return undefined;",
      },
    ],
  },
  {
    name: "a recording lost to the clock names it",
    decides: "R-36",
    without: "A recording that a wrong clock has missed has no cause.",
    file: settle,
    edits: [
      {
        find: '    const next = draft.move(recording, "expired", isBefore(recording) ? clockTrouble(draft, recording) : {});',
        put: '    if (clockTrouble === undefined) throw new Error();\n    const next = draft.move(recording, "expired", {});',
      },
    ],
  },
  {
    name: "writes are fenced by the term",
    decides: "decision 71",
    without: "A leader of an earlier term writes to the state of a fleet.",
    file: "src/recorder/fleet/reign.ts",
    edits: [
      {
        find: "WHERE term = ",
        put: "WHERE term >= ",
      },
    ],
    test: { file: fleetMinutes, name: SEED_1 },
  },
  {
    name: "writes are fenced by their number",
    decides: "decision 71",
    without: "A try that arrives late replaces a later one.",
    file: "src/recorder/fleet/reign.ts",
    edits: [
      {
        find: " AND writes < ",
        put: " AND 0 < ",
      },
    ],
    test: { file: fleetMinutes, name: "seed 3: a late try changes nothing after a later one" },
  },
  {
    name: "a write without an answer is doubted",
    decides: "decision 71",
    without: "Values of a write whose outcome is unknown are not written again.",
    file: "src/recorder/fleet/shared-document.ts",
    edits: [
      {
        find: "if (doubt !== undefined) stored = withDoubt(stored, doubt);",
        put: "if (doubt === null) stored = withDoubt(stored, doubt);",
      },
    ],
    test: {
      file: fleetMinutes,
      name: "seed 13: a write without an answer leaves no value behind that nobody wrote",
    },
  },
  {
    name: "a renewal counts as a sign of life",
    decides: "decision 71",
    without: "A node takes the lead five seconds after its term has begun.",
    file: "src/recorder/fleet/lease-watch.ts",
    edits: [
      {
        find: " || renewals !== this.#seen.renewals",
        put: "",
      },
    ],
    test: { file: fleetMinutes, name: SEED_1 },
  },
  {
    name: "silence of the database is no silence of the leader",
    decides: "decision 71",
    without: "A node takes the lead at its first look after an outage of the database.",
    file: "src/recorder/fleet/lease-watch.ts",
    edits: [
      {
        find: "if (!isUnbroken || term",
        put: "if ((!isUnbroken && nowMs < 0) || term",
      },
    ],
    test: { file: fleetMinutes, name: SEED_1 },
  },
  {
    name: "a refused renewal ends the term",
    decides: "decision 71",
    without: "A leader goes on although its lease is another node's.",
    file: "src/recorder/fleet/fleet.ts",
    edits: [
      {
        find: "if (renewed === undefined) return reign.end();",
        put: "if (renewed === undefined) continue;",
      },
    ],
    test: { file: fleetMinutes, name: SEED_1 },
  },
  {
    name: "a lease is renewed in its term",
    decides: "decision 71",
    without: "A leader of an earlier term renews the lease of the present one.",
    file: "src/recorder/fleet/lease.ts",
    edits: [
      {
        find: "idle = $12 WHERE term = $13",
        put: "idle = $12 WHERE term >= 0",
      },
    ],
    test: { file: fleetMinutes, name: SEED_1 },
  },
  {
    name: "a drained leader hands over",
    decides: "decision 72",
    without: "A node cannot be maintained while it leads.",
    file: "src/recorder/fleet/fleet.ts",
    edits: [
      {
        find: "if ((renewed.isUnwanted || isHomeBack) &&",
        put: "if (term < 0 &&",
      },
    ],
    test: { file: fleetMinutes, name: "seed 14: a drained leader hands over" },
  },
  {
    name: "a copy goes on only after bytes that are the same",
    decides: "decision 79",
    without: "After a loss of power, a segment of another node has zeros in its middle.",
    file: "src/recorder/fleet/files/file-copy.ts",
    edits: [
      {
        find: "if (theirs?.sha256 === (await digestOf(file, common))) return here;",
        put: "if (common >= 0) return here;",
      },
    ],
    test: {
      file: "test/recorder/fleet/files/file-copy.test.ts",
      name: "a copy whose last bytes were lost with the power begins again, and is the same in the end",
    },
  },
  {
    name: "a recording waits for its parts on other nodes",
    decides: "decision 79",
    without: "A film is closed without the part on a machine that starts a minute later.",
    file: "src/recorder/fleet/files/missing-parts.ts",
    edits: [{ find: "if (holder !== undefined) throw", put: "if (holder === undefined) throw" }],
    test: {
      file: "test/recorder/fleet/files/collector.test.ts",
      name: "a recording waits for a node that is away and has a part of it",
    },
  },
  {
    name: "captures go on while the answer about them waits",
    decides: "decision 78",
    without: "A capture that the leader has adopted ends when the database is away.",
    file: "src/recorder/engine/runtime/engine-runtime.ts",
    edits: [{ find: "return new Set(running);", put: "return new Set([]);" }],
    test: {
      file: "test/simulator/fleet-days.test.ts",
      name: "seed 3088: what a node has begun by itself goes on while the answer about it waits for the database",
    },
  },
  {
    name: "a capture is on the tuner of its note",
    decides: "decision 78",
    without: "A tuner that records for nobody's plan gets another channel.",
    file: "src/recorder/engine/runtime/surviving-captures.ts",
    edits: [{ find: "return runs && known !== undefined", put: "return !runs && known !== undefined" }],
    test: {
      file: "test/recorder/engine/core/found-attempts.test.ts",
      name: "is on the tuner of its note, and nothing else gets that one",
    },
  },
  {
    name: "a leader goes on without its database",
    decides: "decision 73",
    without: "Recordings do not begin while the database of the fleet is away.",
    file: engine,
    edits: [{ find: 'new Set(["attempt", "stop", "lease", "evict", "probe"])', put: "new Set([])" }],
    test: {
      file: "test/recorder/engine/runtime/engine.test.ts",
      name: "R-03 begins a recording on time, and stores that when the database is back",
    },
  },
  {
    name: "reports and files wait for the database",
    decides: "decision 73",
    without: "A report is delivered that the next leader does not know of.",
    file: engine,
    edits: [{ find: "else this.#guard.whenStored(() => act(command));", put: "else act(command);" }],
    test: {
      file: "test/recorder/engine/runtime/engine.test.ts",
      name: "delivers no report and touches no file before the database is back",
    },
  },
  {
    name: "a leader learns of a later term from the nodes",
    decides: "decision 73",
    without: "A leader that is cut off from the database alone records beside the next one.",
    file: nodeLink,
    edits: [
      {
        find: "answer.status === LATER_TERM) this.#parts.onLaterTerm();",
        put: "answer.status === 0) return;",
      },
    ],
    test: {
      file: "test/recorder/fleet/node-service.test.ts",
      name: "refuses orders of an earlier term, also on a connection from before, and says so",
    },
  },
  {
    name: "a drained leader opens its captures to the next one",
    decides: "decision 72",
    without: "Draining the leader costs each of its recordings a second.",
    file: "src/recorder/fleet/fleet.ts",
    edits: [
      {
        find: "    await this.#membership?.handOver(config);\n",
        put: "",
      },
    ],
    test: { file: fleetDays, name: "seed 3: a drained leader loses nothing" },
  },
  {
    name: "attempts that the document has lost are taken up",
    decides: "R-34",
    without: "What a capture has recorded is in no file if the document was damaged, or a database was away.",
    file: decide,
    edits: [{ find: "  takeUpFound(draft, found);\n", put: "" }],
    test: {
      file: "test/recorder/engine/core/decide.test.ts",
      name: "R-34 adopts a capture that runs, whether its recording was planned, in conflict or waiting",
    },
  },
  {
    name: "a recording that the document has lost gets its former id",
    decides: "R-34",
    without: "A new document ends the captures that run, and begins again.",
    file: "src/recorder/engine/core/timers.ts",
    edits: [{ find: "formerId(draft, timer) ?? draft", put: "draft" }],
    test: {
      file: "test/recorder/engine/core/decide.test.ts",
      name: "R-34 adopts them once the list names their timers, under their former ids",
    },
  },
  {
    name: "a tuner is opened when an unknown capture has left it",
    decides: "R-22",
    without: "A new leader tunes a tuner away from a capture that an earlier one gave up.",
    file: "src/recorder/engine/runtime/acts.ts",
    edits: [
      {
        find: "    parts.releases.expect(ended.catch(() => {}));\n",
        put: "",
      },
    ],
    test: {
      file: fleetDays,
      name: "seed 221: a tuner is opened when a capture that an earlier leader gave up has left it",
    },
  },
  {
    name: "nothing begins on a drained node",
    decides: "decision 72",
    without: "A node that is drained never becomes idle.",
    file: "src/recorder/fleet/nodes.ts",
    edits: [
      {
        find: "const isDrained = this.#drained.has(id);",
        put: 'const isDrained = id === "";',
      },
    ],
    test: { file: fleetOrders, name: "seed 12: nothing begins on a drained node" },
  },
  {
    name: "a later term ends the connection of an earlier one",
    decides: "decision 70",
    without: "A node obeys a leader whose term is over.",
    file: "src/recorder/fleet/node-door.ts",
    edits: [
      {
        find: "if (this.#admitted !== undefined && this.#admitted.term < term) this.close();",
        put: "",
      },
    ],
    test: { file: fleetOrders, name: "seed 8: a node obeys no earlier term" },
  },
  {
    name: "a pause of the leader is no silence",
    decides: "decision 70",
    without: "A leader that was paused gives up the captures of all nodes.",
    file: "src/recorder/fleet/silence-watch.ts",
    edits: [
      {
        find: "if (nowMs - this.#lookedMs > NODE_LIMITS.lookGapMs) this.#heardMs = Math.max(this.#heardMs, nowMs);",
        put: "",
      },
    ],
    test: {
      file: fleetOrders,
      name: "seed 1: a new leader finds what runs, ends what nobody needs, and loses nobody by its own pause",
    },
  },
  {
    name: "what nobody needs is ended",
    decides: "decision 70",
    without: "A node that was lost goes on with captures that continue elsewhere.",
    file: nodeLink,
    edits: [
      {
        find: "const lost = unknown.filter(knows).map((id) => this.#endReplaced(id));",
        put: "const lost = [];",
      },
    ],
    test: {
      file: fleetOrders,
      name: "seed 1: a new leader finds what runs, ends what nobody needs, and loses nobody by its own pause",
    },
  },
  {
    name: "a capture of a node that was lost is ended when another has taken its place",
    decides: "decision 70",
    without:
      "It ends as soon as the node is back, and the recording has a gap until another capture has packets.",
    file: nodeLink,
    edits: [
      {
        find: "while (!signal.aborted && !isReplaced(id) &&",
        put: "while (!signal.aborted && isReplaced === undefined &&",
      },
    ],
    test: {
      file: fleetDays,
      name: "seed 5217: a capture of a node that was lost goes on until another has taken its place",
    },
  },
  {
    name: "a new leader adopts captures of other nodes",
    decides: "decision 70",
    without: "A new leader ends the captures of other nodes.",
    file: nodeLink,
    edits: [
      {
        find: "if (this.#adopts) for (const id of there) this.running.add(id);",
        put: "",
      },
    ],
    test: {
      file: fleetOrders,
      name: "seed 1: a new leader finds what runs, ends what nobody needs, and loses nobody by its own pause",
    },
  },
  {
    name: "a node without a leader carries out its part of the plan",
    decides: "decision 78",
    without: "If the machine of the leader and the database dies, the tuners of all other nodes are idle.",
    file: "src/recorder/fleet/alone.ts",
    edits: [{ find: "nowMs - this.#ledAtMs < NODE_LIMITS.aloneMs", put: "nowMs >= this.#ledAtMs" }],
    test: {
      file: "test/simulator/fleet-alone.test.ts",
      name: "hands over to a leader that comes in mid-recording, without a gap",
    },
  },
  {
    name: "a leader takes up what a node has recorded without it",
    decides: "decision 78",
    without: "A leader ends what a node has begun that it was cut off from.",
    file: nodeLink,
    edits: [{ find: "const claimed = await claim(begun);", put: "const claimed = new Set();" }],
    test: {
      file: "test/simulator/fleet-alone.test.ts",
      name: "is taken up by the leader that it was cut off from",
    },
  },
  {
    name: "a new leader asks for the nodes until it has an answer",
    decides: "decision 70",
    without: "A new leader loses the captures of all nodes if one statement fails.",
    file: "src/recorder/fleet/nodes.ts",
    edits: [
      {
        find: "while (!(await this.#poll()) && !signal.aborted)",
        put: "while (!(await this.#poll()) && signal.aborted)",
      },
    ],
    test: {
      file: fleetOrders,
      name: "seed 1: a new leader finds what runs, ends what nobody needs, and loses nobody by its own pause",
    },
  },
  {
    name: "captures of a node that is lost end",
    decides: "decision 70",
    without: "A leader counts on captures of a node that is gone.",
    file: nodeLink,
    edits: [
      {
        find: "      this.running.clear();\n",
        put: "",
      },
    ],
    test: { file: fleetOrders, name: "seed 2: a leader does not count on a node that is away" },
  },
  {
    name: "a tuner is freed with the connection that opened it",
    decides: "decision 70",
    without: "A tuner stays in use for a leader that is gone.",
    file: nodeAgent,
    edits: [
      {
        find: "for (const session of sessions.values()) this.#leave(session);",
        put: "",
      },
    ],
    test: { file: fleetOrders, name: "seed 4: no tuner stays open for a leader that is gone" },
  },
  {
    name: "a tuner that opens too late is freed",
    decides: "decision 70",
    without: "A tuner stays in use for a leader that is gone.",
    file: nodeAgent,
    edits: [
      {
        find: "if (session.over.signal.aborted) await opened[Symbol.asyncDispose]();",
        put: "",
      },
    ],
    test: { file: fleetOrders, name: "seed 4: no tuner stays open for a leader that is gone" },
  },
  {
    name: "a capture that begins too late ends",
    decides: "decision 70",
    without: "A capture that no leader knows of holds a tuner.",
    file: nodeAgent,
    edits: [
      {
        find: "if (socket.destroyed) await this.#end(id, { hangs: false });",
        put: "",
      },
    ],
    test: { file: fleetOrders, name: "seed 9: a capture that begins when its leader is gone ends" },
  },
  {
    name: "a tuner is freed if its capture does not begin",
    decides: "decision 70",
    without: "A tuner stays in use for a leader that is gone.",
    file: nodeAgent,
    edits: [
      {
        find: "if (socket.destroyed) this.#leave(session);",
        put: "",
      },
    ],
    test: {
      file: fleetOrders,
      name: "seed 11: a tuner is free if a capture does not begin and its leader is gone",
    },
  },
];
