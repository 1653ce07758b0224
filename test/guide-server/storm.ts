import { expect } from "vitest";
import { Chance } from "../../src/guide-server/demo/chance.ts";
import type { Document } from "../../src/guide-wire/documents.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { DurationMs } from "../../src/model/time.ts";
import { PASSWORD } from "./hosted.ts";
import { Ledger, type Session, signedIn, Unacknowledged, writeOnce } from "./writers.ts";

const WRITERS = 50;
/** Two writers share an account. */
const ACCOUNTS = WRITERS / 2;
/** Writers sign in again after this many turns. */
const TURNS_PER_SESSION = 100;
/** Changes between two accidents, at least; three times as many at most. */
const BETWEEN = 100;
/** After a request without an answer. */
const RETRY_MS = 200;

/** Something that happens to the service under the storm, by its name. */
export type Accident = readonly [name: string, happen: () => Promise<void>];

export interface StormOptions {
  readonly baseUrl: string;
  readonly seed: number;
  /** In their order, each after a number of acknowledged changes that the seed chooses. */
  readonly accidents: readonly Accident[];
  /** The storm lasts as long at least. */
  readonly lastsMs: DurationMs;
  /** Rejects when the service has failed by itself. */
  readonly failure: Promise<never>;
}

export interface Counts {
  readonly acknowledged: number;
  readonly timers: number;
  readonly devices: number;
  readonly polls: number;
  readonly unacknowledged: number;
  readonly signIns: number;
}

/**
 * Many writers book, change, cancel and poll while accidents happen. At the end, checks that no acknowledged change is lost or
 * doubled, and that what was not acknowledged is there completely or not at all.
 */
export async function storm(options: StormOptions): Promise<Counts> {
  const { baseUrl, failure } = options;
  const homes = await settled(baseUrl);
  const { channelId } = homes[0];
  const ledger = new Ledger({ now: systemClock().now(), channelId });
  const tally = { polls: 0, unacknowledged: 0, signIns: 0 };
  const devices: Devices = new Map();
  const over = new AbortController();
  const writing = Array.from({ length: WRITERS }, (_, number) => {
    const home = homes[number % ACCOUNTS] ?? homes[0];
    return new StormWriter({ number, home, baseUrl, ledger, tally, devices }).run(over.signal);
  });
  const all = Promise.all(writing);
  try {
    const end = ending(ledger, options);
    // The failure of a writer comes before all others.
    end.catch(() => {});
    await Promise.race([failure, all, end]);
  } finally {
    over.abort();
  }
  await all;
  for (const home of homes) await checkHome(home, { baseUrl, ledger, devices });
  const { acknowledged, timers } = ledger;
  return { acknowledged, timers, devices: devices.size, ...tally };
}

async function ending(
  ledger: Ledger,
  { seed, accidents, lastsMs }: Pick<StormOptions, "seed" | "accidents" | "lastsMs">,
): Promise<void> {
  const chance = new Chance("storm", seed);
  const lasts = systemClock().sleep(lastsMs, new AbortController().signal);
  for (const [, happen] of accidents) {
    await ledger.reaches(ledger.acknowledged + BETWEEN + chance.below(2 * BETWEEN));
    await happen();
  }
  // After the last accident, the service works.
  await ledger.reaches(ledger.acknowledged + BETWEEN);
  await lasts;
}

/** An account with the devices of its writers. */
interface Home {
  readonly email: string;
  readonly channelId: number;
  readonly deviceIds: readonly [number, number];
}

/** Signing in for the first time creates an account: the server is to allow it. */
async function settled(baseUrl: string): Promise<readonly [Home, ...Home[]]> {
  // A proxy on a busy machine may take a server for dead for a moment.
  await expect.poll(async () => (await fetch(`${baseUrl}/regions/channels`)).ok).toBe(true);
  const answer = await fetch(`${baseUrl}/regions/channels`);
  const { channels } = (await answer.json()) as Document<"channels">;
  const channelId = channels[0]?.id ?? 0;
  const homes: Home[] = [];
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const email = `home${number}@example.org`;
    const session = await signedIn(baseUrl, { email, password: PASSWORD });
    const deviceIds = [await addDevice(session, "lounge"), await addDevice(session, "kitchen")] as const;
    homes.push({ email, channelId, deviceIds });
  }
  const [first, ...others] = homes;
  if (first === undefined) throw new Error("there is no home");
  return [first, ...others];
}

async function addDevice({ ask }: Session, label: string): Promise<number> {
  const body = { label, type_id: 1 };
  const { devices } = JSON.parse(await ask("POST", "/devices", body)) as Document<"devices">;
  return devices[0]?.id ?? 0;
}

type DeviceState = "added" | "removed" | "unknown";
/** By their labels. Adding a device again adds another one, unlike a booking: so these show requests that were repeated. */
type Devices = Map<string, { readonly email: string; readonly state: DeviceState }>;

interface WriterParts {
  readonly number: number;
  readonly home: Home;
  readonly baseUrl: string;
  readonly ledger: Ledger;
  readonly tally: { polls: number; unacknowledged: number; signIns: number };
  readonly devices: Devices;
}

class StormWriter {
  readonly #parts: WriterParts;
  #session: Session | undefined;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  async run(over: AbortSignal): Promise<void> {
    for (let turn = 0; !over.aborted; turn += 1) {
      if (turn % TURNS_PER_SESSION === 0) this.#session = undefined;
      try {
        await this.#turn(turn);
      } catch (error) {
        if (!(error instanceof Unacknowledged)) throw error;
        this.#parts.tally.unacknowledged += 1;
        await systemClock()
          .sleep(RETRY_MS, over)
          .catch(() => {});
      }
    }
  }

  async #turn(turn: number): Promise<void> {
    const { number, home, baseUrl, ledger, tally } = this.#parts;
    if (this.#session === undefined) {
      this.#session = await signedIn(baseUrl, { email: home.email, password: PASSWORD });
      tally.signIns += 1;
    }
    const deviceId = home.deviceIds[number < ACCOUNTS ? 0 : 1];
    const name = `${number}-${turn}`;
    await writeOnce(this.#session, { ledger, name, deviceId, isShort: turn % 2 === 0 });
    if (turn % 5 === 1) await this.#poll(this.#session, deviceId);
    if (turn % 20 === 3) await this.#addDevice(this.#session, name, turn % 40 === 3);
  }

  /** A list that is asked for after a change was acknowledged has it, whichever server answers. */
  async #poll(session: Session, deviceId: number): Promise<void> {
    const timers = await session.poll(deviceId);
    if (timers === undefined) throw new Error("the list is called unchanged after a change");
    this.#parts.ledger.check(timers, deviceId);
    this.#parts.tally.polls += 1;
  }

  async #addDevice(session: Session, label: string, stays: boolean): Promise<void> {
    const { devices, home } = this.#parts;
    const become = (state: DeviceState) => devices.set(label, { email: home.email, state });
    become("unknown");
    const id = await addDevice(session, label);
    become("added");
    if (stays) return;
    become("unknown");
    await session.ask("DELETE", `/devices/${id}`);
    become("removed");
  }
}

async function checkHome(
  { email, deviceIds }: Home,
  { baseUrl, ledger, devices }: Pick<WriterParts, "baseUrl" | "ledger" | "devices">,
): Promise<void> {
  const session = await signedIn(baseUrl, { email, password: PASSWORD });
  for (const deviceId of deviceIds) ledger.check((await session.poll(deviceId)) ?? [], deviceId);
  const answer = JSON.parse(await session.ask("GET", "/devices")) as Document<"devices">;
  const labels = answer.devices.map(({ label }) => label);
  expect(labels.length).toBe(new Set(labels).size);
  for (const [label, device] of devices) {
    if (device.email !== email || device.state === "unknown") continue;
    expect([label, labels.includes(label)]).toEqual([label, device.state === "added"]);
  }
}
