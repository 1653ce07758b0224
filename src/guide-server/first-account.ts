import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DurableFile } from "../kit/files/durable-file.ts";
import type { Clock } from "../kit/time/clock.ts";
import { OneTimeLinks, withLink } from "../web/listener/one-time-links.ts";

/** In the data folder, with mode 0600. */
const NAME = "first-account";

/**
 * The one-time link by which the first account is made. It stands in a file that only the owner of the data can read, and neither on
 * the terminal nor in the log: a loopback address proves nothing about who asks (docs/decisions/0040-loopback-is-not-proof.md).
 */
export class FirstAccount {
  readonly file: string;
  readonly #links: OneTimeLinks;

  constructor(dataFolder: string, clock: Clock) {
    this.file = join(dataFolder, NAME);
    this.#links = new OneTimeLinks({ clock });
  }

  /** @param address of the server's pages. @throws RecorderdError DISK_FULL or WRITE_FAILED */
  async offer(address: string): Promise<void> {
    const file = new DurableFile({ file: this.file, mode: 0o600, keepsPrevious: false });
    await file.replace(`${withLink(address, this.#links.make())}\n`);
  }

  /** Removes the file: there is an account, or the server ends. */
  async withdraw(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /** Uses the link up. */
  take(key: string): boolean {
    return this.#links.take(key);
  }

  /** No account came of it. */
  giveBack(key: string): void {
    this.#links.giveBack(key);
  }
}
