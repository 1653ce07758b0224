import { SECOND } from "../../src/model/time.ts";
import type { Room } from "./service-room.ts";
import { type Lead, type StreamScript, TOLERANCES } from "./service-script.ts";
import type { PictureWish, ServiceWish, SoundWish } from "./service-wishes.ts";

/** Every stream there is in the whole time, by the part that it plays. */
export interface Cast {
  readonly streams: readonly StreamScript[];
  readonly phantoms: readonly number[];
  readonly picture: readonly number[];
  readonly sound: readonly number[];
  readonly others: readonly number[];
  readonly description: readonly number[];
  readonly extras: readonly number[];
}

export const PIDS = {
  picture: 0x100,
  sound: 0x200,
  description: 0x280,
  phantom: 0x300,
  extra: 0x400,
  pcr: 0x1f0,
} as const;
/** A stream that takes the place of another has a PID so much higher. */
const TWIN_APART = 0x10;
/** Samples of one frame at 48 kHz, in ms. */
const FRAME_MS = { mp2: 24, aac: 1024 / 48, ac3: 32 } as const;
const UNIT_MS_MAX = 480;

const LANGUAGES = ["deu", "eng", "fra"] as const;
const NEXT_FORMAT = {
  h264: "hevc",
  mpeg2: "h264",
  hevc: "h264",
  mp2: "ac3",
  aac: "mp2",
  ac3: "aac",
} as const;

export function castOf(wish: ServiceWish, room: Room): Cast {
  const streams: StreamScript[] = [];
  const add = (stream: StreamScript) => streams.push(steady(stream)) - 1;
  const base = {
    firstMs: 0,
    reorders: false,
    saysStill: false,
    packets: 1,
    outages: [],
    neverSent: false,
    lead: STEADY,
  };
  const sounds = wish.sounds.map((one, index) => soundStream(one, { room, pid: PIDS.sound + index }));
  const description = [wish.description ?? []]
    .flat()
    .map((one) => ({ ...soundStream(one, { room, pid: PIDS.description }), isDescription: true }));
  const { picture, pcr } = wish;
  const mainSounds = new Set([PIDS.sound, PIDS.sound + TWIN_APART]);
  const steady = (stream: StreamScript): StreamScript =>
    pcr === "nowhere" ? timekeeper(stream, mainSounds.has(stream.pid)) : stream;
  const pictures =
    picture === undefined
      ? []
      : [pictureStream(withSign(picture, wish), { room, durationMs: wish.seconds * SECOND })];
  const twins = ({ pid, format, ...rest }: StreamScript): readonly StreamScript[] => [
    { ...rest, pid, format },
    { ...rest, pid: pid + TWIN_APART, format: NEXT_FORMAT[format as keyof typeof NEXT_FORMAT] },
  ];
  const [main, ...others] = sounds;
  return {
    picture: pictures.flatMap(twins).map(add),
    sound: (main === undefined ? [] : twins(main)).map(add),
    others: others.map(add),
    description: description.map(add),
    phantoms: wish.phantoms.map((kind, index) =>
      add({
        ...base,
        pid: PIDS.phantom + index,
        format: kind === "video" ? "h264" : "ac3",
        unitMs: 40,
        neverSent: true,
      }),
    ),
    extras: wish.extras.map((format, index) =>
      add({ ...base, pid: PIDS.extra + index, format, unitMs: format === "subtitles" ? 7100 : 40 }),
    ),
    streams,
  };
}

/** Without PCRs a lead that varies is time that does. */
const STAMP_SWING_MS_MAX = 40;

/** Without PCRs the streams tell the time: nothing does where the last of them is out. */
function timekeeper(stream: StreamScript, isMainSound: boolean): StreamScript {
  const { lead, outages } = stream;
  const swingMs = Math.min(lead.swingMs, STAMP_SWING_MS_MAX);
  return { ...stream, lead: { ...lead, swingMs }, outages: isMainSound ? [] : outages };
}

const STEADY: Lead = { meanMs: 700, swingMs: 0, periodMs: SECOND };

/** A still picture that the PMT withdraws after a while is too rare by then to show that it is one: the PMT must say so. */
function withSign(picture: PictureWish, { changes }: ServiceWish): PictureWish {
  return changes.some(({ what }) => what === "with picture") ? { ...picture, saysStill: true } : picture;
}

function pictureStream(
  wish: PictureWish,
  { room, durationMs }: { readonly room: Room; readonly durationMs: number },
): StreamScript {
  const { format, packets, lead, outages, isNeverSent } = wish;
  const isStill = wish.unitMs >= SECOND;
  const unitMs = isStill ? Math.min(wish.unitMs, durationMs / STILLS_MIN) : wish.unitMs;
  return {
    pid: PIDS.picture,
    format,
    unitMs,
    packets,
    lead,
    firstMs: 0,
    reorders: wish.reorders && !isStill,
    saysStill: isStill && wish.saysStill,
    outages: isStill ? [] : room.forStream().windows(outages, outageMsMin(unitMs)),
    neverSent: isNeverSent,
  };
}

/** So many still pictures show that they are stills, also where the PMT does not say so. */
const STILLS_MIN = 8;

function soundStream(
  wish: SoundWish,
  { room, pid }: { readonly room: Room; readonly pid: number },
): StreamScript {
  const { format, frames, lead } = wish;
  const unitMs = Math.min(frames, Math.floor(UNIT_MS_MAX / FRAME_MS[format])) * FRAME_MS[format];
  const language = LANGUAGES[pid - PIDS.sound];
  return {
    pid,
    format,
    ...(language === undefined ? {} : { language }),
    unitMs,
    firstMs: 0,
    lead,
    reorders: false,
    saysStill: false,
    packets: 1,
    outages: room.forStream().windows(wish.outages, outageMsMin(unitMs)),
    neverSent: false,
  };
}

/** One that no rule takes for a pause. */
function outageMsMin(unitMs: number): number {
  return TOLERANCES.pauseMs + 2 * unitMs;
}
