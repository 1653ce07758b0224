import { join } from "node:path";
import { z } from "zod";
import { DurableFile } from "../../../kit/files/durable-file.ts";
import { readFile } from "../../../kit/files/steady-fs.ts";
import type { Log } from "../../../kit/log.ts";
import { type Inhibitor, inhibitSleep } from "../../../kit/machine/inhibitor.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../../kit/time/limits.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { PowerFacts } from "../../../model/snapshot.ts";
import { type DurationMs, type EpochMs, formatInstant, SECOND } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { judgeWake } from "./core/wake-verdict.ts";
import { POWER_LIMITS } from "./limits.ts";

export interface PowerParts {
  /**
   * The data folder: `next-wake` is for the program that sets the machine's alarm, `power.json` is our own memory.
   */
  readonly folder: string;
  readonly wakeAlarm: boolean;
  readonly inhibitSleep: boolean;
  /** The wanted time of the machine's alarm. */
  readonly wanted: () => EpochMs | undefined;
  /** Whether a recording runs or is imminent. */
  readonly isBusy: () => boolean;
  readonly isClockTrusted: () => boolean;
  /** The last sign of life of an earlier run. */
  readonly seenAt: EpochMs;
  readonly uptimeMs: () => DurationMs;
  readonly clock: Clock;
  readonly log: Log;
  /** The machine's alarm as sysfs shows it, in seconds. */
  readonly rtcFile?: string;
}

export interface Power {
  readonly name: "power";
  facts(): PowerFacts;
  /** Looks repeatedly until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const RTC_FILE = "/sys/class/rtc/rtc0/wakealarm";

/**
 * Publishes the machine's next wake-up, checks whether its alarm is set and whether it woke, and keeps it awake
 * meanwhile.
 */
export function createPower(parts: PowerParts): Power {
  const { folder, clock, log, rtcFile = RTC_FILE } = parts;
  const memory = new DurableFile({ file: join(folder, "power.json"), keepsPrevious: false });
  const published = new DurableFile({ file: join(folder, "next-wake"), keepsPrevious: false });
  let wantedAt: EpochMs | undefined;
  let failed: PowerFacts["failed"];
  let seenAt = parts.seenAt;
  let isFirst = true;
  let isWritten = false;
  let publishedAt = 0;
  let alarm: PowerFacts["alarm"];
  let inhibitor: Inhibitor | undefined;
  /** Logged once. */
  let isRefused = false;

  function judge(): void {
    const now = clock.now();
    const upSince = now - parts.uptimeMs();
    const verdict = judgeWake({ wantedAt, seenAt, now, upSince, isFirst });
    seenAt = now;
    isFirst = false;
    if (verdict === undefined) return;
    isWritten = false;
    failed = verdict.kind === "late" ? { wantedAt: verdict.wantedAt, cameAt: verdict.cameAt } : undefined;
    const wanted = formatInstant(verdict.wantedAt);
    if (failed === undefined) log.info("the machine woke for a recording", { wanted });
    else log.error("the machine did not wake in time", { wanted, came: formatInstant(failed.cameAt) });
  }

  async function publish(): Promise<void> {
    const now = parts.wanted();
    if (now === wantedAt && isWritten) return;
    wantedAt = now;
    // Our memory first: otherwise a woken machine would not know the reason.
    await memory.replace(JSON.stringify({ wantedAt, failed }));
    const line =
      wantedAt === undefined ? "0 nothing is planned" : `${seconds(wantedAt)} ${formatInstant(wantedAt)}`;
    await published.replace(`${line}\n`);
    isWritten = true;
    publishedAt = clock.monotonicMs();
  }

  async function readBack(): Promise<void> {
    if (!parts.wakeAlarm) return;
    const text = (await readFile(rtcFile, "utf8").catch(() => "unreadable")).trim();
    const isSet = text === (wantedAt === undefined ? "" : String(seconds(wantedAt)));
    // Another program sets the alarm and needs time for that.
    if (!isSet && clock.monotonicMs() - publishedAt < POWER_LIMITS.wakeAlarmMs) return;
    const found = isSet ? "set" : "not-set";
    if (found !== alarm && !isSet)
      log.error("the machine's wake-up alarm is not set as requested", { found: text });
    alarm = found;
  }

  async function keepAwake(): Promise<void> {
    if (!parts.inhibitSleep) return;
    if (!parts.isBusy()) {
      inhibitor?.[Symbol.dispose]();
      inhibitor = undefined;
    } else if (inhibitor === undefined) {
      inhibitor = await inhibitSleep("a recording runs or is about to start");
    } else if (!inhibitor.isActive && !isRefused) {
      isRefused = true;
      log.error("logind refuses to keep the machine awake: install the polkit rule (docs/running.md)");
    }
  }

  async function look(): Promise<void> {
    if (parts.isClockTrusted()) judge();
    await keepAwake();
    try {
      await publish();
    } catch (error) {
      // Other parts report a full disk; the next look tries again.
      if (!(error instanceof RecorderdError)) throw error;
    }
    await readBack();
  }

  return {
    name: "power",
    facts: () => ({
      ...withoutUndefined({ wakeAlarmAt: wantedAt, alarm, failed }),
      ...(parts.inhibitSleep ? { awake: inhibitor?.isActive === true } : {}),
    }),
    async run(signal) {
      // Unreadable memory counts as none: one verdict is lost, and nothing else.
      const stored = await memory.read((text) => Memory.parse(JSON.parse(text))).catch(() => undefined);
      ({ wantedAt, failed } = stored?.value ?? {});
      while (!signal.aborted) {
        await look();
        await clock.sleep(TIME_LIMITS.waitSliceMs, signal).catch(() => {});
      }
      inhibitor?.[Symbol.dispose]();
    },
  };
}

function seconds(at: EpochMs): number {
  return Math.floor(at / SECOND);
}

/** Other content counts as none. */
const Memory = z.object({
  wantedAt: z.number().optional().catch(undefined),
  failed: z.object({ wantedAt: z.number(), cameAt: z.number() }).optional().catch(undefined),
});
