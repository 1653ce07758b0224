import { createHash } from "node:crypto";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeNamedFolder } from "../../kit/files/make-folder.ts";
import { runFfmpeg } from "../../kit/process/ffmpeg.ts";
import { RecorderdError } from "../../model/errors.ts";
import { isKeyPicture, splitPictures, splitSoundFrames } from "./elementary.ts";

/** 8 s are a whole number of pictures (200), of AAC frames (375) and of seconds: the loop has no seam in time. */
const CLIP_SECONDS = 8;
const PICTURES_PER_SECOND = 25;
const SAMPLES_PER_SECOND = 48_000;
const SAMPLES_PER_FRAME = 1024;
const PICTURES = CLIP_SECONDS * PICTURES_PER_SECOND;
const SOUND_FRAMES = (CLIP_SECONDS * SAMPLES_PER_SECOND) / SAMPLES_PER_FRAME;
/** The encoder's first frames fade in, so they are dropped. */
const SOUND_FRAMES_BEFORE = 4;

/** Picture and sound of the clip. Decoding can start at its beginning, and its end continues there. */
export interface Clip {
  /** H.264 access units, 40 ms each, a key picture each second. */
  readonly pictures: readonly Buffer[];
  /** AAC frames with their headers, 1024 samples of 48 kHz each. */
  readonly soundFrames: readonly Buffer[];
}

/** All inputs that determine the bytes: a changed recipe makes a new clip. */
const RECIPE = {
  picture: `testsrc2=size=480x270:rate=${PICTURES_PER_SECOND}:duration=${CLIP_SECONDS}`,
  pictureOptions: [
    ...["-map", "0:v", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p"],
    // No B pictures: display order is transmission order. The rate is limited over half a second.
    ...["-bf", "0", "-b:v", "600k", "-maxrate", "600k", "-bufsize", "300k"],
    ...["-g", `${PICTURES_PER_SECOND}`, "-keyint_min", `${PICTURES_PER_SECOND}`, "-sc_threshold", "0"],
    ...["-x264-params", "aud=1", "-f", "h264"],
  ],
  sound: `sine=frequency=440:beep_factor=4:sample_rate=${SAMPLES_PER_SECOND}:duration=${CLIP_SECONDS + 1}`,
  soundOptions: ["-map", "1:a", "-ac", "2", "-c:a", "aac", "-b:a", "64k", "-f", "adts"],
};

const PICTURE_FILE = "picture.h264";
const SOUND_FILE = "sound.aac";

/**
 * Encodes the clip with ffmpeg, or reads it from the cache.
 *
 * @param folder caches clips between runs; created if missing, may be shared by several processes
 * @throws RecorderdError FFMPEG_MISSING or FFMPEG_FAILED
 */
export async function loadClip({
  folder,
  signal,
}: {
  readonly folder: string;
  readonly signal: AbortSignal;
}): Promise<Clip> {
  const hash = createHash("sha256").update(JSON.stringify(RECIPE)).digest("hex").slice(0, 16);
  const made = join(folder, `clip-${hash}`);
  return (await read(made)) ?? (await make(folder, { made, signal }));
}

async function make(
  folder: string,
  { made, signal }: { readonly made: string; readonly signal: AbortSignal },
): Promise<Clip> {
  await makeNamedFolder(folder);
  const making = await mkdtemp(join(folder, "making-"));
  try {
    await encode(making, signal);
    // Another process finished first; its clip has the same recipe.
    await rename(making, made).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  const clip = await read(made);
  if (clip !== undefined) return clip;
  throw new RecorderdError("FFMPEG_FAILED", `the clip in ${made} is not whole: remove that folder`, { made });
}

function encode(folder: string, signal: AbortSignal): Promise<void> {
  return runFfmpeg(
    (command) =>
      command
        .input(RECIPE.picture)
        .inputFormat("lavfi")
        .input(RECIPE.sound)
        .inputFormat("lavfi")
        .output(join(folder, PICTURE_FILE))
        .outputOptions(RECIPE.pictureOptions)
        .output(join(folder, SOUND_FILE))
        .outputOptions(RECIPE.soundOptions),
    { signal },
  );
}

/** `undefined` if there is no complete clip. */
async function read(folder: string): Promise<Clip | undefined> {
  try {
    const pictures = splitPictures(await readFile(join(folder, PICTURE_FILE)));
    const sound = splitSoundFrames(await readFile(join(folder, SOUND_FILE)));
    const soundFrames = sound.slice(SOUND_FRAMES_BEFORE, SOUND_FRAMES_BEFORE + SOUND_FRAMES);
    const [first] = pictures;
    const starts = first !== undefined && isKeyPicture(first);
    const whole = pictures.length === PICTURES && soundFrames.length === SOUND_FRAMES && starts;
    return whole ? { pictures, soundFrames } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
