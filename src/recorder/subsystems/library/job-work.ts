import { basename, dirname, extname } from "node:path";
import { readFile, writeFile } from "../../../kit/files/steady-fs.ts";
import { runBounded } from "../../../kit/process/bounded-process.ts";
import { type FfmpegRun, runFfmpeg } from "../../../kit/process/ffmpeg.ts";
import { FILM_FORMATS, type MediaFacts, probeMedia } from "../../../kit/process/media-tools.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Job, MakeKind } from "../../../model/job.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import { type DurationMs, SECOND } from "../../../model/time.ts";
import { chosenStreams, convertOptions, deviceOptions, type Profile } from "./core/profile.ts";
import { draftFile, isPlaced, place, removeDrafts } from "./drafts.ts";
import { edlText, type FilePart, partsIn } from "./edl.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { chapterMarks, type Mark, marksOfGaps } from "./marks.ts";
import { sidecarPath, sizeOf } from "./removal.ts";

export interface WorkParts {
  readonly profile: Profile;
  /** ffmpeg's name of the encoder, if the profile transcodes. */
  readonly encoder: string;
  readonly comskip: string;
  /** Whether the job `commercials` writes the edit decision lists, perhaps later. */
  readonly findsBreaks: boolean;
  /** The folder for a file's results until they are verified: on the same disk. */
  readonly workFolderOf: (file: string) => string;
  /** The niceness of each process of a job, as for nice(1): jobs leave the processor to recordings. */
  readonly niceness: number;
  /** Set in the environment of every process of a job, to find those of an earlier run. */
  readonly mark: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export interface WorkOrder {
  readonly job: Job & { readonly kind: MakeKind };
  readonly entry: LibraryEntry;
  readonly onProgress: (share: number) => void;
}

/** The result of a job. Remove its drafts only after the library has stored it: after a crash they identify it. */
export interface Work {
  /** The new file, verified and durable; absent if there was nothing to make. */
  readonly file?: string;
  readonly text: string;
}

const PATH = "/usr/local/bin:/usr/bin:/bin";
/** A result may be shorter by this: pictures before the first key frame are dropped. */
const SHORTER_MS: DurationMs = 3 * SECOND;

/**
 * Does one job. The original is only read; the result gets its name when it is whole and verified, and never replaces
 * a file.
 *
 * @throws RecorderdError FFMPEG_MISSING, FFMPEG_FAILED, FILE_UNREADABLE or WRITE_FAILED
 * @throws the signal's reason when it is aborted first; no process of the job runs then
 */
export async function doWork(order: WorkOrder, parts: WorkParts, signal: AbortSignal): Promise<Work> {
  const { job, entry } = order;
  const endings = {
    convert: parts.profile.kind === "verbatim" ? ".ts" : `.${parts.profile.container}`,
    // The name of an episode's picture for Kodi (wiki, "Artwork") and Jellyfin ("Metadata Images").
    thumbnail: "-thumb.jpg",
    chapters: ".chapters.txt",
    commercials: ".edl",
  } as const;
  const ending = endings[job.kind];
  // A remux within MPEG-TS must not take the name of its original.
  const beside = ending === extname(entry.file) ? `.converted${ending}` : ending;
  const target = sidecarPath(entry.file, beside);
  const workFolder = parts.workFolderOf(entry.file);
  const draft = draftFile(workFolder, job.id, ending.slice(ending.indexOf(".")));
  if (await isPlaced({ draft, target })) return { file: target, text: "already made" };
  const tidy = () => removeDrafts(workFolder, (id) => id === job.id);
  await tidy();
  try {
    const facts = await probeMedia(entry.file, { clock: parts.clock, signal });
    const text = await MAKERS[job.kind]({ ...order, facts, draft }, parts, signal);
    if (text !== undefined) {
      await place({ draft, target });
      return { file: target, text };
    }
  } catch (error) {
    await tidy();
    throw error;
  }
  await tidy();
  return { text: "found nothing" };
}

interface Making extends WorkOrder {
  readonly facts: MediaFacts;
  readonly draft: string;
}

type Maker = (making: Making, parts: WorkParts, signal: AbortSignal) => Promise<string | undefined>;

const MAKERS: Readonly<Record<MakeKind, Maker>> = { convert, thumbnail, chapters, commercials };

async function convert({ entry, facts, draft, onProgress }: Making, parts: WorkParts, signal: AbortSignal) {
  const { profile, encoder, clock } = parts;
  if (profile.kind === "verbatim") return undefined;
  const streams = chosenStreams(facts.streams, profile);
  if (streams.length === 0) throw failed(`the profile keeps none of its streams: ${entry.file}`);
  const device = deviceOptions(profile.kind === "transcode" ? encoder : "");
  await runFfmpeg(
    (command) => {
      command.input(entry.file).inputOptions([...FILM_FORMATS, ...device.input]);
      if (device.filter !== "") command.videoFilters(device.filter);
      command.outputOptions([...convertOptions(profile, { encoder, streams })]).output(draft);
    },
    polite(parts, onProgress, signal),
  );
  const made = await probeMedia(draft, { clock, signal });
  verify(made, { durationMs: facts.durationMs, streams: streams.length });
  return `${made.streams.length} streams, ${Math.round(made.durationMs / SECOND)} s`;
}

/** Checks that the output has the length and the number of streams of the input. */
function verify(
  made: MediaFacts,
  { durationMs, streams }: { readonly durationMs: DurationMs; readonly streams: number },
): void {
  const missingMs = durationMs - made.durationMs;
  if (missingMs > SHORTER_MS || made.streams.length !== streams) {
    throw failed(
      `the result has ${made.streams.length} of ${streams} streams and ${Math.round(made.durationMs / SECOND)} of ${Math.round(durationMs / SECOND)} s; the original stays`,
    );
  }
}

async function thumbnail({ entry, facts, draft }: Making, parts: WorkParts, signal: AbortSignal) {
  if (facts.streams.every(({ type }) => type !== "video")) return undefined;
  const at = facts.durationMs / SECOND / 3;
  await runFfmpeg(
    (command) =>
      command
        .input(entry.file)
        .inputOptions([...FILM_FORMATS, "-ss", at.toFixed(1)])
        .outputOptions(["-frames:v", "1", "-vf", "thumbnail=25,scale=640:-2", "-f", "image2", "-update", "1"])
        .output(draft),
    polite(parts, undefined, signal),
  );
  const made = await probeMedia(draft, { clock: parts.clock, signal });
  if (made.streams.length !== 1) throw failed("ffmpeg wrote no picture");
  return "a picture";
}

/**
 * Chapters in the simple format (CHAPTER01=…) that players read. Kodi reads none for a transport stream; it gets them as
 * scene markers, unless another job writes those with commercial breaks.
 */
async function chapters({ entry, facts, draft }: Making, { findsBreaks }: WorkParts): Promise<string> {
  const marks = await chapterMarks(entry, facts.durationMs);
  const lines = marks.flatMap(({ atMs, name }, index) => {
    const number = String(index + 1).padStart(2, "0");
    return [`CHAPTER${number}=${new Date(atMs).toISOString().slice(11, 23)}`, `CHAPTER${number}NAME=${name}`];
  });
  await writeFile(draft, `${lines.join("\n")}\n`, { mode: 0o640 });
  const target = sidecarPath(entry.file, ".edl");
  const markers = edlText([], atOf(marks));
  if (!findsBreaks && markers !== "" && (await sizeOf(target)) === undefined) {
    await writeFile(`${draft}.edl`, markers, { mode: 0o640 });
    await place({ draft: `${draft}.edl`, target });
  }
  return `${marks.length} chapters`;
}

/** Breaks that comskip finds, and scene markers at gaps. */
async function commercials({ entry, facts, draft }: Making, parts: WorkParts, signal: AbortSignal) {
  const breaks = await comskipBreaks({ entry, draft }, parts, signal);
  const marks = await marksOfGaps(entry.file, facts.durationMs);
  if (breaks.length + marks.length === 0) return undefined;
  await writeFile(draft, edlText(breaks, atOf(marks)), { mode: 0o640 });
  return breaks.length === 0 ? "found no breaks, marked gaps" : "found breaks";
}

/** comskip exits with code 1 if it found none. */
async function comskipBreaks(
  { entry, draft }: Pick<Making, "entry" | "draft">,
  { comskip, niceness, mark, clock }: WorkParts,
  signal: AbortSignal,
): Promise<readonly FilePart[]> {
  // Removed with the draft, together with comskip's other files of that name.
  const ini = `${draft}.ini`;
  await writeFile(ini, "output_edl=1\noutput_txt=0\n", { mode: 0o640 });
  const { how, code, output } = await runBounded(
    {
      command: "nice",
      args: [
        "-n",
        String(niceness),
        comskip,
        `--ini=${ini}`,
        `--output=${dirname(draft)}`,
        `--output-filename=${basename(draft, extname(draft))}`,
        entry.file,
      ],
      env: { PATH, LC_ALL: "C", ...mark },
      timeoutMs: LIBRARY_LIMITS.jobMs,
      outputBytesMax: LIBRARY_LIMITS.hookOutputBytes,
    },
    { clock, signal },
  );
  if (how === "exited" && code === 1) return [];
  if (how !== "exited" || code !== 0) throw failed(`comskip failed (${code ?? how}): ${output.slice(-300)}`);
  const found = await readFile(draft, "utf8").catch(() => {
    throw failed("comskip wrote no list of breaks");
  });
  return partsIn(found);
}

/** Nobody seeks to the beginning by a marker. */
function atOf(marks: readonly Mark[]): readonly DurationMs[] {
  return marks.map(({ atMs }) => atMs).filter((atMs) => atMs > 0);
}

function polite(
  { niceness, mark }: WorkParts,
  onProgress: FfmpegRun["onProgress"],
  signal: AbortSignal,
): FfmpegRun {
  const env = { PATH, LC_ALL: "C", ...mark };
  return { signal, niceness, env, ...(onProgress === undefined ? {} : { onProgress }) };
}

function failed(text: string): RecorderdError {
  return new RecorderdError("FFMPEG_FAILED", text);
}
