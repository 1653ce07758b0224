import { Turns } from "../../../kit/time/turns.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Integrity } from "../../../model/integrity.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { NameFacts } from "../../capture/name-template.ts";
import { isEpisode, nfoOf, showNfoOf } from "../../capture/nfo.ts";
import type { RecordingFiles } from "../../capture/recording-files.ts";
import { type SidecarFacts, sidecarJson, writtenIntegrity } from "../../capture/sidecar.ts";
import type { Occurrence } from "../core/occurrence.ts";

export interface SidecarPolicy extends Pick<SidecarFacts, "writtenBy"> {
  /** IANA name of the zone for dates. */
  readonly timeZone: string;
  readonly json: boolean;
  readonly nfo: boolean;
}

/** Writes the sidecars of recordings, and keeps until then what their inspection found. */
export interface Sidecars {
  /** Keeps the report of an inspection; after a crash, too. */
  keepReport(id: RecordingId, integrity: Integrity): Promise<void>;
  /** One at a time: two for one recording would write the same files. */
  annotate(recording: Recording): Promise<Occurrence>;
  /** Frees the recording's name, and forgets its report. */
  forget(id: RecordingId): Promise<void>;
}

export function createSidecars(shelf: RecordingFiles, policy: SidecarPolicy): Sidecars {
  /** Reports of published recordings, until their sidecars are written. */
  const found = new Map<RecordingId, Integrity>();
  const annotations = new Turns();

  async function keepReport(recordingId: RecordingId, integrity: Integrity): Promise<void> {
    if (!policy.json) return;
    found.set(recordingId, integrity);
    try {
      await shelf.keepNote(recordingId, JSON.stringify(integrity));
    } catch (error) {
      // Without the note a crash would cost the details of the report; a full disk must not cost the recording.
      if (!(error instanceof RecorderdError)) throw error;
    }
  }

  async function annotate(recording: Recording): Promise<Occurrence> {
    const { id: recordingId, evidence } = recording;
    const file = evidence?.file;
    // A missing file has no sidecars; a missing folder throws.
    if (evidence !== undefined && file !== undefined && (await shelf.has(file))) {
      const integrity = await integrityFor(recordingId, file);
      const { timeZone, writtenBy } = policy;
      const facts = { recording, evidence, writtenBy, ...(integrity && { integrity }) };
      if (policy.json) await shelf.writeSidecar(file, ".json", sidecarJson(facts));
      if (policy.nfo) await shelf.writeSidecar(file, ".nfo", nfoOf(recording, timeZone));
      if (policy.nfo && isEpisode(recording.programme ?? {})) {
        await shelf.writeShowFile(file, nameFactsOf(recording), showNfoOf(recording));
      }
    }
    await forget(recordingId);
    return { kind: "annotated", recording };
  }

  async function integrityFor(id: RecordingId, file: string): Promise<SidecarFacts["integrity"]> {
    if (!policy.json) return undefined;
    const known = found.get(id);
    if (known !== undefined) return { found: known };
    const note = await shelf.readNote(id);
    // This program wrote the note, whole or not at all.
    if (note !== undefined) return { found: JSON.parse(note) as Integrity };
    const before = await shelf.readSidecar(file, ".json");
    return before === undefined ? undefined : { written: writtenIntegrity(before) };
  }

  async function forget(id: RecordingId): Promise<void> {
    await shelf.release(id);
    found.delete(id);
  }

  return {
    keepReport,
    annotate: (recording) => annotations.run(() => annotate(recording)),
    forget,
  };
}

export function nameFactsOf({
  id,
  timerId,
  name,
  channelName,
  event,
  showId,
  programme = {},
  rule,
}: Recording): NameFacts {
  const { subtitle, season, episode, seriesId } = programme;
  return {
    title: name,
    channel: channelName,
    start: event.start,
    recordingId: id,
    timerId,
    ...withoutUndefined({ showId, subtitle, season, episode, seriesId, folder: rule?.folder }),
  };
}
