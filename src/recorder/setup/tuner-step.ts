import type { Clock } from "../../kit/time/clock.ts";
import type { SetupKind, SetupOffer } from "../../model/setup.ts";
import { SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { pathText } from "../config/mistakes.ts";
import { discoverServers, type FoundServer } from "../tune/discover.ts";
import type { EntryKeys, TunerKind } from "../tune/kind.ts";
import { kindOf, TUNER_KINDS, TunerConfig } from "../tune/registry.ts";
import { invalidAnswer } from "./refusal.ts";

const LISTEN_MS = 4 * SECOND;

/** Devices of this machine, and servers that answer on its networks. */
export async function offers({
  clock,
  signal,
}: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<readonly SetupOffer[]> {
  const [devices, servers] = await Promise.all([
    Promise.all(TUNER_KINDS.map(devicesOf)),
    discoverServers({ clock, forMs: LISTEN_MS }, signal),
  ]);
  return [...devices.flat(), ...servers.map(serverOffer)];
}

async function devicesOf(kind: TunerKind): Promise<readonly SetupOffer[]> {
  const present = (await kind.present?.()) ?? [];
  return present.map(({ text, address }) => offerOf(kind, text, address));
}

function serverOffer(server: FoundServer): SetupOffer {
  const kind = kindOf(server);
  const { address, name } = server;
  const text = `${kind.kind} ${address} ${name}`.trim();
  return offerOf(kind, text, kind.discovery?.fieldText(server) ?? address);
}

function offerOf({ kind, address }: TunerKind, text: string, place: string): SetupOffer {
  return { text, kind, place, wantsList: address?.channelList === "required" };
}

/** The kinds in setup's form; others are configured by hand. */
export const SETUP_KINDS: readonly SetupKind[] = TUNER_KINDS.flatMap(
  ({ kind, name, address, isSimulator }) => {
    if (address === undefined) return [];
    const { label, example, channelList } = address;
    return [{ kind, name, label, example, channelList, ...withoutUndefined({ isSimulator }) }];
  },
);

/** A tuner as entered by a person. */
export interface TunerAnswer {
  readonly kind: string;
  readonly place: string;
  readonly channelList?: string | undefined;
}

/** One entry of the configuration to be written. */
export type TunerEntry = Readonly<Record<string, unknown>> & { readonly id: string; readonly kind: string };

/** @throws RecorderdError CONFIG_INVALID if the entry is invalid, or its channel list cannot be read */
export async function tunerOf(
  words: TunerAnswer | object,
  before: readonly TunerEntry[],
): Promise<TunerEntry> {
  const entry = isWords(words)
    ? { kind: words.kind, id: freeId(words.kind, before), ...placeOf(words) }
    : words;
  const parsed = TunerConfig.safeParse(entry);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where =
      issue === undefined ? "" : `${pathText(issue.path).replace("the file", "tuner")}: ${issue.message}`;
    throw invalidAnswer(`The entry is not a valid tuner (${where}): see docs/tuners.md.`, "tuner");
  }
  await kindOf(parsed.data)
    .check?.(parsed.data)
    .catch((error: unknown) => {
      throw invalidAnswer(`${error instanceof Error ? error.message : error}`, "tuner");
    });
  const { id, kind } = parsed.data;
  return { ...entry, id, kind };
}

function isWords(words: TunerAnswer | object): words is TunerAnswer {
  return "place" in words;
}

function freeId(kind: string, before: readonly TunerEntry[]): string {
  for (let number = before.length + 1; ; number += 1) {
    const id = `${kind}${number}`;
    if (before.every((tuner) => tuner.id !== id)) return id;
  }
}

/** The schema rejects unknown kinds. */
function placeOf({ kind, place, channelList = "" }: TunerAnswer): EntryKeys {
  const address = TUNER_KINDS.find((one) => one.kind === kind)?.address;
  return { ...address?.parse(place), ...(channelList === "" ? {} : { channelList }) };
}

/** The address of a tuner in the form's notation; empty if its kind has none. */
export function placeText(entry: TunerEntry): string {
  return kindOf(entry).address?.format(entry) ?? "";
}
