import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DurableFile } from "../kit/files/durable-file.ts";
import type { Clock } from "../kit/time/clock.ts";
import { OneTimeLinks, withLink } from "../web/listener/one-time-links.ts";

/** In the data folder, with mode 0600. */
const NAME = "first-account";

/**
 * The one-time link that creates the first account. It stands in a file that only the owner of the data can read,
 * never on the terminal or in the log: a loopback address proves nothing about the visitor
 * (docs/dev/decisions/0036-loopback-is-not-proof.md).
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

  /** Removes the file: an account exists, or the server ends. */
  async withdraw(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /** Uses up the link. */
  take(key: string): boolean {
    return this.#links.take(key);
  }

  /** Makes the link valid again after a failed sign-up. */
  giveBack(key: string): void {
    this.#links.giveBack(key);
  }
}
