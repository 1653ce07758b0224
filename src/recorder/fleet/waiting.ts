import type { Log } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Standing } from "./lease.ts";

export interface WaitingParts {
  readonly log: Log;
  /** Called when this node stands by: another node has its recordings now. */
  readonly onStandBy: () => Promise<void>;
}

/** Logs each fact once while a node waits for the lead. */
export class Waiting {
  readonly #parts: WaitingParts;
  #isAway = false;
  #hasAnswered = false;
  #leader: string | undefined;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  databaseAnswers(): void {
    if (this.#isAway) this.#parts.log.info("the database of the fleet is available again");
    this.#isAway = false;
    this.#hasAnswered = true;
  }

  /** @throws the error, if waiting does not help */
  databaseFails(error: unknown): void {
    if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
    if (error.facts["isFinal"] === true && !this.#hasAnswered)
      throw new RecorderdError("CONFIG_INVALID", error.message, error.facts, { cause: error });
    if (!this.#isAway)
      this.#parts.log.error("the database of the fleet is not available; retrying", { text: error.message });
    this.#isAway = true;
  }

  placesChanged(trouble: string): void {
    if (trouble === "") this.#parts.log.info("this node can lead the fleet again");
    else this.#parts.log.error("this node cannot lead the fleet", { text: trouble });
  }

  async standBy({ leader, leaderName, term }: Standing): Promise<void> {
    if (leader === this.#leader) return;
    const isFirst = this.#leader === undefined;
    this.#leader = leader;
    this.#parts.log.info("this node stands by", { leader: leaderName, term });
    if (isFirst) await this.#parts.onStandBy();
  }
}
