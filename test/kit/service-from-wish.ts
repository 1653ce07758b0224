import { SECOND } from "../../src/model/time.ts";
import { type Cast, castOf, PIDS } from "./service-cast.ts";
import { Room } from "./service-room.ts";
import { type ClockJump, type MapScript, NO_PCR_PID, SERVICE, type ServiceScript } from "./service-script.ts";
import type { ChangeWish, ServiceWish } from "./service-wishes.ts";

/** Without PCRs a shorter loss is no break of the clock. */
const STAMP_LOSS_MS_MIN = 2500;

/** The script that keeps clear of every tolerance; parts of the wish that do not fit are left out. */
export function scriptOf(wish: ServiceWish): ServiceScript {
  const durationMs = wish.seconds * SECOND;
  const hasPcr = wish.pcr !== "nowhere";
  const room = new Room(durationMs);
  const maps = room.instants(wish.changes);
  // Without PCRs a jump of the clock looks like a jump of the pictures.
  const jumps: readonly ClockJump[] = room
    .instants(hasPcr ? wish.jumps : [])
    .map(({ atMs, byMs, signalled }) => ({ atMs, byMs, signalled }));
  const losses = room.emptyWindows(wish.losses, hasPcr ? 0 : STAMP_LOSS_MS_MIN);
  const cast = castOf(wish, room);
  const lists = listsOf(
    cast,
    maps.map(({ what }) => what),
  );
  return {
    service: SERVICE,
    durationMs,
    streams: cast.streams,
    maps: lists.map((streams, index) => ({
      fromMs: maps[index - 1]?.atMs ?? 0,
      streams,
      ...pcrOf(wish, { cast, streams, moved: maps.slice(0, index).some(({ what }) => what === "pcr") }),
    })),
    pcrEveryMs: wish.pcrEveryMs,
    pcrsInPictures: wish.pcrsInPictures,
    clockMs: wish.clockMs,
    jumps,
    losses,
    tablesFromMs: wish.tablesFromMs,
    tablesEveryMs: wish.tablesEveryMs,
    ...(wish.timeEveryMs === undefined ? {} : { timeEveryMs: wish.timeEveryMs }),
  };
}

/** The streams that each PMT lists; there is one PMT more than there are changes. */
function listsOf(cast: Cast, changes: readonly ChangeWish["what"][]): readonly (readonly number[])[] {
  const has = { picture: true, others: true, nthPicture: 0, nthSound: 0 };
  const list = () => [
    ...cast.description,
    ...cast.phantoms,
    ...(has.picture ? cast.picture.slice(has.nthPicture, has.nthPicture + 1) : []),
    ...cast.sound.slice(has.nthSound, has.nthSound + 1),
    ...(has.others ? cast.others : []),
    ...cast.extras,
  ];
  const lists = [list()];
  for (const what of changes) {
    if (what === "sound") has.nthSound = 1 - has.nthSound;
    if (what === "picture") has.nthPicture = 1 - has.nthPicture;
    if (what === "second sound") has.others = !has.others;
    if (what === "with picture") has.picture = !has.picture;
    lists.push(list());
  }
  return lists;
}

function pcrOf(
  { pcr }: ServiceWish,
  {
    cast,
    streams,
    moved,
  }: { readonly cast: Cast; readonly streams: readonly number[]; readonly moved: boolean },
): Pick<MapScript, "pcrPid" | "pcrsOn"> {
  const on = (index: number | undefined) => {
    const pid = cast.streams[index ?? -1]?.pid ?? PIDS.pcr;
    return { pcrPid: pid, pcrsOn: pid };
  };
  switch (pcr) {
    case "picture":
      return on(moved ? undefined : (cast.picture[0] ?? cast.sound[0]));
    case "own":
      return on(moved ? cast.sound[0] : undefined);
    case "sound":
      return on(moved ? undefined : cast.sound[0]);
    case "elsewhere":
      // On a stream that the PMT lists: no reader can assign another to the service.
      return { ...on(streams.find((index) => !cast.phantoms.includes(index))), pcrPid: NO_PCR_PID };
    case "nowhere":
      return { pcrPid: moved ? PIDS.pcr : NO_PCR_PID };
  }
}
