import type { ChannelList, Tuning } from "./channel-lists/list.ts";
import { type Dish, dvblastTuning } from "./dvblast-arguments.ts";
import { type Listed, Places } from "./places.ts";
import type { Scanned } from "./scanned.ts";

interface Card extends Dish {
  readonly id: string;
  readonly adapter: number;
  readonly frontend: number;
  /** Address of a whole multiplex, instead of a card. */
  readonly stream?: string | undefined;
  /** Absent: all. */
  readonly systems?: readonly Tuning["system"][] | undefined;
}

/** dvblast's tuning arguments for every service of a list that the tuner can receive. */
export function dvbPlaces(card: Card, list: ChannelList, scanned: Scanned): Places<readonly string[]> {
  const all = [...list.services, ...(list.multiplexes ?? [])];
  const listed = all.flatMap(({ ids, name, lcn, tuning }): Listed<readonly string[]>[] => {
    const how = card.stream === undefined ? cardInput(card, tuning) : streamInput(card.stream);
    return how === undefined ? [] : [{ ids, name, lcn, place: how.join(" "), how }];
  });
  return new Places({ tunerId: card.id, listed, bare: (how) => how, scanned });
}

function cardInput(card: Card, tuning: Tuning | undefined): readonly string[] | undefined {
  const { adapter, frontend, systems } = card;
  if (tuning === undefined || systems?.includes(tuning.system) === false) return undefined;
  const how = dvblastTuning(tuning, card);
  if (how === undefined) return undefined;
  return ["--adapter", String(adapter), "--frontend-number", String(frontend), ...how];
}

function streamInput(address: string): readonly string[] {
  const { protocol, host } = new URL(address);
  return ["--rtp-input", protocol === "udp:" ? `${host}/udp` : host];
}
