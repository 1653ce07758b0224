import type { Log } from "../../../kit/log.ts";
import { runBounded } from "../../../kit/process/bounded-process.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import type { WorkRegister } from "../../../model/ports.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import {
  commandOf,
  type DueHook,
  dueHooks,
  HOOK_PATH,
  type Hook,
  type HookFacts,
  heard,
  hookEnvironment,
} from "./core/hooks.ts";
import type { PlanDocument } from "./core/intake.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { type Library, surviveWriteFailures } from "./shared-library.ts";

export interface HookLoopParts {
  readonly hooks: readonly Hook[];
  readonly library: Library;
  readonly plan: () => PlanDocument;
  /** Hooks of recordings that are set aside wait. */
  readonly register?: WorkRegister;
  readonly clock: Clock;
  readonly log: Log;
}

export interface HookLoop {
  /** Signals that a hook may be due. */
  readonly wake: () => void;
  /**
   * Runs due hooks, a few at once, until the signal is aborted; running ones are killed then, and run again in the
   * next run of the daemon.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Runs the configured commands at their points. Their results never affect a recording. */
export function createHookLoop({ hooks, library, plan, register, clock, log }: HookLoopParts): HookLoop {
  const wakeSignal = new WakeSignal();
  const running = new Map<RecordingId, Promise<void>>();
  const writable = surviveWriteFailures(log);
  const workFor = (subject: RecordingId) => ({ kind: "hook", subject }) as const;
  const waits = (id: RecordingId) => register?.isSetAside(workFor(id)) === true;
  const wanted = (facts: HookFacts) => hooks.filter(({ on }) => on.includes(facts.point));

  async function tell({ facts, recordingId }: DueHook, signal: AbortSignal): Promise<void> {
    try {
      for (const hook of wanted(facts)) await call(hook, facts, signal);
      // Retried: a finished command must not run again because the data folder is full.
      while ((await writable(() => note([facts]))) === undefined) {
        await clock.sleep(LIBRARY_LIMITS.spaceLookMs, signal);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      log.error("a hook could not be run; retrying", { recordingId, text: String(error) });
      // The hook stays due; without a pause the loop would do nothing else.
      await clock.sleep(LIBRARY_LIMITS.hookAgainMs, signal);
    } finally {
      running.delete(recordingId);
      wakeSignal.signal();
    }
  }

  async function note(points: readonly HookFacts[]): Promise<true> {
    await library.change((held) => heard(held, points));
    return true;
  }

  async function call(hook: Hook, facts: HookFacts, signal: AbortSignal): Promise<void> {
    const [program = "", ...args] = commandOf(hook);
    register?.begin(workFor(facts.recordingId));
    const { how, code, reason, output } = await runBounded(
      {
        command: program,
        args,
        env: { PATH: HOOK_PATH, LANG: "C.UTF-8", ...hookEnvironment(facts) },
        stdin: `${JSON.stringify(facts)}\n`,
        timeoutMs: hook.timeoutMs,
        outputBytesMax: LIBRARY_LIMITS.hookOutputBytes,
      },
      { clock, signal },
    );
    const { point, recordingId } = facts;
    const told = {
      point,
      recordingId,
      program,
      how,
      output,
      ...withoutUndefined({ code, reason }),
    };
    if (how === "exited" && code === 0) log.info("a hook was run", told);
    else log.warn("a hook failed; it is not run again", told);
  }

  async function begin(signal: AbortSignal): Promise<void> {
    for (;;) {
      const due = dueHooks(plan(), library.current, clock.now()).filter(
        ({ recordingId }) => !running.has(recordingId),
      );
      // Points without a hook: one write, and no process.
      const silent = due.filter(({ facts }) => wanted(facts).length === 0).map(({ facts }) => facts);
      if ((await writable(() => note(silent))) === undefined) return;
      const asked = due.filter(({ facts, recordingId }) => wanted(facts).length > 0 && !waits(recordingId));
      for (const hook of asked.slice(0, LIBRARY_LIMITS.hooksAtOnce - running.size)) {
        const told = tell(hook, signal);
        running.set(hook.recordingId, told);
        // Aborted: the next run of the daemon repeats it.
        told.catch(() => {});
      }
      if (silent.length === 0) return;
    }
  }

  return {
    wake: () => wakeSignal.signal(),
    run: async (signal) => {
      while (!signal.aborted) {
        await begin(signal);
        await wakeSignal.wait(signal);
      }
      await Promise.allSettled(running.values());
    },
  };
}
