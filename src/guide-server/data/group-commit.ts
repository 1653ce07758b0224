import { Turns } from "../../kit/time/turns.ts";
import type { Engine, Entry, Outcome } from "./engine.ts";

/** Stores entries that wait for the database together, in one transaction with one sync. */
export class GroupCommit {
  readonly #engine: Pick<Engine, "write">;
  #pending: Entry[] = [];
  /** The write that will include the pending entries. */
  #next: Promise<readonly Outcome[]> | undefined;
  readonly #turns = new Turns();

  constructor(engine: Pick<Engine, "write">) {
    this.#engine = engine;
  }

  /** @returns after it is on the disk. @throws RecorderdError as Engine.write */
  async write(entry: Entry): Promise<Outcome> {
    const place = this.#pending.push(entry) - 1;
    this.#next ??= this.#turns.run(() => this.#writePending());
    return (await this.#next)[place] ?? "stale";
  }

  /** Resolves after all writes have ended. */
  async ended(): Promise<void> {
    await this.#turns.ended();
  }

  #writePending(): Promise<readonly Outcome[]> {
    const group = this.#pending;
    this.#pending = [];
    this.#next = undefined;
    return this.#engine.write(group);
  }
}
