import type { GuideClient } from "../../guide-wire/client.ts";
import type { AttemptNotes } from "../../model/attempt.ts";
import type { Capture, WorkRegister } from "../../model/ports.ts";
import { createAttemptNotes } from "../capture/attempt-notes.ts";
import type { CaptureLimits } from "../capture/engine.ts";
import { CAPTURE_LIMITS } from "../capture/limits.ts";
import { onMountedDisk } from "../capture/mount-check.ts";
import type { RecordingFiles } from "../capture/recording-files.ts";
import type { ViewParts } from "../capture/view.ts";
import { networkSettings } from "../config/networks.ts";
import { type Closing, createClosing } from "../engine/runtime/closing-acts.ts";
import { excerptDecoder } from "../evidence/excerpt.ts";
import { GATHER_LIMITS } from "../subsystems/gather/limits.ts";
import { type Gathering, type IdleLimits, openGathering } from "../subsystems/gather/open.ts";
import type { LibraryPart } from "../subsystems/library/open.ts";
import type { ChannelDesk } from "../sync/channel-desk.ts";
import { READING_THREAD } from "../threads/place.ts";
import { createReading } from "../threads/reading.ts";
import type { DaemonBase, OtherNodes } from "./base.ts";
import { captureOf } from "./captures.ts";
import { shelfOf, sidecarsOf } from "./settings.ts";

/** Captures streams into segments, and closes recordings. */
export interface CaptureAccess {
  readonly capture: Capture;
  readonly shelf: RecordingFiles;
  readonly notes: AttemptNotes;
  readonly closing: Closing;
  readonly view: ViewParts;
  readonly gathering: Gathering;
}

interface CaptureAccessParts {
  readonly client: GuideClient;
  readonly channels: ChannelDesk;
  readonly library: Pick<LibraryPart, "presence" | "checkPlaces" | "entries">;
  readonly register: WorkRegister;
  readonly captureLimits?: CaptureLimits | undefined;
  readonly idleLimits?: IdleLimits | undefined;
  readonly hostProgram?: string | undefined;
  readonly nodes?: OtherNodes | undefined;
}

/** @throws RecorderdError CONFIG_INVALID if recordings are to belong to an unknown user or group */
export async function openCaptureAccess(
  { config, disposeLater, clock, log }: DaemonBase,
  parts: CaptureAccessParts,
): Promise<CaptureAccess> {
  const { client, channels, library, register, hostProgram, nodes } = parts;
  const { captureLimits: limits = CAPTURE_LIMITS, idleLimits = GATHER_LIMITS } = parts;
  const view = { ffmpegPath: config.capture.ffmpegPath, clock, limits };
  const gathering = openGathering(config, {
    client,
    nameFor: (triplet) => channels.nameFor(triplet),
    view,
    register,
    clock,
    log,
    limits: idleLimits,
  });
  const anywhere = captureOf(config, {
    clock,
    log,
    openInspection: gathering.openInspection,
    limits,
    ...(hostProgram === undefined ? {} : { hostProgram }),
    ...(nodes === undefined ? {} : { elsewhere: (onEnded) => nodes.engine(onEnded) }),
  });
  const isApart = nodes?.waitForParts !== undefined;
  const shelf = await shelfOf(
    config,
    log,
    isApart ? () => library.entries().map(({ file }) => file) : undefined,
  );
  const closing = disposeLater(
    createClosing({
      shelf,
      waitForParts: nodes?.waitForParts,
      readWhole: createReading({ threadFile: READING_THREAD, clock }),
      decodesExcerpt: excerptDecoder({ ffmpegPath: config.capture.ffmpegPath, clock }),
      presence: { check: library.checkPlaces },
      sidecars: sidecarsOf(config),
      networks: networkSettings(config.networks),
    }),
  );
  const notes = createAttemptNotes(config.recordings.folder, log);
  return { capture: onMountedDisk(anywhere, library.presence), shelf, notes, closing, view, gathering };
}
