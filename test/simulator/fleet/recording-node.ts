import { silentLog } from "../../../src/kit/log.ts";
import type { Clock } from "../../../src/kit/time/clock.ts";
import { DAY } from "../../../src/model/time.ts";
import { NodeAgent } from "../../../src/recorder/fleet/node-agent.ts";
import { NodeDoor } from "../../../src/recorder/fleet/node-door.ts";
import { MemoryPart } from "../../../src/simulator/fleet/memory-part.ts";
import { NodeProcess } from "../../../src/simulator/fleet/node-process.ts";
import { chanceOf } from "../../../src/simulator/weeks/chance.ts";
import { RecordingMachine } from "./recording-machine.ts";

/** A machine of a fleet, and the daemon that runs on it or not. While it does not lead, its tuners are at the leader's service. */
export class RecordingNode {
  readonly name: string;
  readonly machine = new RecordingMachine();
  process: NodeProcess;
  /** A person has drained it. */
  isDrained = false;
  door = new NodeDoor();
  readonly #time: Clock;
  readonly #seed: number;
  #lives = 0;
  #agent: NodeAgent | undefined;
  #leads = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(name: string, { time, seed }: { readonly time: Clock; readonly seed: number }) {
    this.name = name;
    this.#time = time;
    this.#seed = seed;
    this.process = this.#born();
    this.process.die();
  }

  get runs(): boolean {
    return this.process.runs;
  }

  /** It runs, and does not lead. */
  get mayLead(): boolean {
    return this.runs && !this.#leads;
  }

  /** Its tuners are at the leader's service. */
  get serves(): boolean {
    return this.runs && this.door.isOpen;
  }

  start(): void {
    this.process = this.#born();
    this.door = new NodeDoor();
    this.#leads = false;
    this.#agent = undefined;
    this.#turn = Promise.resolve();
    this.#openInTurn();
  }

  /** The daemon dies; what it captures goes on. */
  die(): void {
    this.process.die();
  }

  losePower(): void {
    this.machine.losePower();
    this.process.die();
  }

  /** It takes the lead, or loses it. */
  leads(yes: boolean): void {
    this.#leads = yes;
    if (yes) this.#closeInTurn();
    else this.#openInTurn();
  }

  /** The database names this term. */
  knows(term: number): void {
    this.process.after(0, () => this.door.knows(term));
  }

  #born(): NodeProcess {
    this.#lives += 1;
    const error = chanceOf(this.#seed, `clock of ${this.name} ${this.#lives}`);
    return new NodeProcess(this.#time, { aheadMs: error.int(-DAY, DAY), drift: error.int(-200, 200) });
  }

  #openInTurn(): void {
    const { process } = this;
    const chance = chanceOf(this.#seed, `machine of ${this.name} ${this.#lives}`);
    this.#turn = this.#turn.then(async () => {
      if (this.#leads || this.#agent !== undefined || process.isDead) return;
      this.#agent = await NodeAgent.open(
        { clock: process.clock, log: silentLog, part: new MemoryPart() },
        async (events) => this.machine.ports(process, chance, events),
      );
      this.door.offer(this.#agent);
    });
  }

  #closeInTurn(): void {
    this.#turn = this.#turn.then(async () => {
      const agent = this.#agent;
      this.#agent = undefined;
      this.door.offer(undefined);
      await agent?.[Symbol.asyncDispose]();
    });
  }
}
