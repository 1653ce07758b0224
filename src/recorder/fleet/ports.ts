import type { AttemptNotes } from "../../model/attempt.ts";
import type { CaptureOrder, TunerDriver } from "../../model/ports.ts";
import type { TunerId } from "../../model/tuner.ts";
import type { HeldFile } from "./files/held-file.ts";
import type { HeldByNode } from "./node-protocol.ts";
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
  /** Absent: the nodes share a folder. */
  readonly files?: NodeFiles;
}

/** The files of this machine, for a leader that does not share their folder. */
export interface NodeFiles {
  /** The path of the file, there or not, and the folder that it must be in. */
  placeOf(file: HeldFile): { readonly path: string; readonly root: string };
  /** Whether a capture still writes it. */
  isGrowing(file: HeldFile): Promise<boolean>;
  /** The segments that this machine keeps for the home of the fleet; none on the home itself. Never rejects. */
  segments(): Promise<HeldByNode>;
  /** Removes a file that the leader has. On the home, it stays. */
  drop(file: HeldFile): Promise<void>;
}

/** Events of the ports, for the agent. */
export interface PortEvents {
  readonly onEnded: (id: string) => void;
  readonly onOffers: () => void;
}
