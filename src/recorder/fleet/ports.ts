import type { AttemptNotes } from "../../model/attempt.ts";
import type { CaptureOrder, TunerDriver } from "../../model/ports.ts";
import type { TunerId } from "../../model/tuner.ts";
import type { TunerOffer } from "./offer.ts";

/** The tuners and captures of this machine, for the leader on another one. */
export interface NodePorts extends AsyncDisposable {
  readonly driver: (id: TunerId) => TunerDriver | undefined;
  readonly offers: () => readonly TunerOffer[];
  readonly segmentFile: (captureId: string) => string;
  /** @throws RecorderdError CAPTURE_NOT_STARTED, FFMPEG_MISSING, STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED */
  readonly start: (order: CaptureOrder) => Promise<void>;
  readonly end: (id: string, how: { readonly hangs: boolean }) => Promise<void>;
  readonly isRunning: (id: string) => Promise<boolean>;
  readonly running: () => Promise<ReadonlySet<string>>;
  readonly makeReady: () => Promise<void>;
  /** Stores the note of an attempt beside its segment. Never rejects. */
  readonly keepNote: AttemptNotes["keep"];
}

/** Events of the ports, for the agent. */
export interface PortEvents {
  readonly onEnded: (id: string) => void;
  readonly onOffers: () => void;
}
