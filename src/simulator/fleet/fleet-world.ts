import type { Clock } from "../../kit/time/clock.ts";
import type { Window } from "../../model/window.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import type { Planner } from "../../recorder/plan/planner.ts";
import type { Air } from "../weeks/air.ts";
import { type Captures, type CaptureWatch, type SimulatedCapture, spanOf } from "../weeks/captures.ts";
import type { ChanceNow } from "../weeks/chance.ts";
import type { Guide, GuideWatch } from "../weeks/guide.ts";
import type { Receivers, ReceiverWatch } from "../weeks/receivers.ts";
import type { SimulatedFiles } from "../weeks/simulated-files.ts";
import type { FleetWire, WireNode } from "./fleet-wire.ts";
import type { SimulatedDatabase, Way } from "./simulated-database.ts";

/** A machine of a fleet, and the daemon that runs on it or not. */
export interface FleetMember extends WireNode {
  readonly machine: { readonly captures: Captures };
  /** Its way to the database. */
  way: Way;
  /** It believes that it leads. */
  readonly leads: boolean;
  start(): void;
  /** The daemon dies; what it captures goes on. */
  die(): void;
  losePower(): void;
}

export interface FleetWatch extends CaptureWatch, ReceiverWatch, GuideWatch {
  /** A node has ended with an error. */
  failed(error: unknown): void;
}

/** All that the nodes of a fleet share, and the truth about it. */
export interface FleetWorld {
  readonly seed: number;
  readonly time: Clock;
  readonly chance: ChanceNow;
  readonly nodes: readonly FleetMember[];
  readonly guide: Guide;
  readonly air: Air;
  readonly receivers: Receivers;
  /** The captures of all machines: their segments are in one folder. */
  readonly all: Map<string, SimulatedCapture>;
  readonly shelf: SimulatedFiles;
  readonly database: SimulatedDatabase;
  readonly wire: FleetWire<FleetMember>;
  readonly watch: FleetWatch;
  /** Aborted at the end of the simulation. */
  readonly signal: AbortSignal;
  readonly nextLife: () => number;
  /** A planner for the engine of a leader. */
  readonly planner: () => Planner;
  /** The latest document of a leader. */
  document: DaemonDocument;
}

/** The payload of a recording on the shared disk. */
export function spansOf(
  { all, time }: Pick<FleetWorld, "all" | "time">,
  recordingId: string | undefined,
): readonly Window[] {
  const captures = [...all.values()].filter((capture) => capture.recordingId === recordingId);
  return captures.flatMap((capture) => spanOf(capture, time.now()) ?? []);
}
