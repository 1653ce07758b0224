import { type AnnouncementsWatch, watchAnnouncements } from "../../site/announcements-loop.ts";
import { nextOpening } from "../engine/core/settle.ts";
import { readiness } from "../engine/runtime/readiness.ts";
import { type ReceptionWatch, watchReception } from "../engine/runtime/reception.ts";
import type { Subsystem } from "../engine/runtime/subsystem.ts";
import { openPower } from "../subsystems/power/open.ts";
import type { Power } from "../subsystems/power/power.ts";
import type { Access } from "./access.ts";
import type { DaemonBase } from "./base.ts";

/** Subsystems that look at the document, the machine or the content site, and show what they see. */
export interface Watches {
  readonly announcements: AnnouncementsWatch | undefined;
  readonly power: Power;
  readonly receptions: ReceptionWatch;
  readonly all: readonly Subsystem[];
}

export function openWatches(
  { config, clock, log }: DaemonBase,
  { storage: { store, signOfLife }, watch, tuners: { pool }, captures: { capture }, http }: Access,
): Watches {
  const announcements =
    config.site === undefined ? undefined : watchAnnouncements(config.site, { http, clock, log });
  const power = openPower(config, {
    recordings: () => Object.values(store.current.recordings),
    tuners: () => pool.facts,
    isClockTrusted: () => watch.isTrusted,
    seenAt: Math.max(store.current.heartbeatAt, signOfLife.before ?? 0),
    clock,
    log,
  });
  const receptions = watchReception({
    document: () => store.current,
    driver: (id) => pool.drivers.get(id),
    clock,
    log,
  });
  const ready = readiness({
    nextOpening: () => nextOpening(store.current, { tuners: pool.facts, now: clock.now(), clock: watch }),
    capture,
    clock,
    log,
  });
  const shown = announcements === undefined ? [] : [announcements];
  return { announcements, power, receptions, all: [...shown, power, receptions, ready] };
}
