import { connect, type Socket } from "node:net";
import { MINUTE } from "../../src/model/time.ts";
import { emailOf, tokenOf } from "./accounts.ts";

const OPENED_AT_ONCE = 100;
const PATIENCE_MS = MINUTE;

/** Recorders that wait for changes of their lists: one connection each, of the accounts from 1 on. */
export class Streams implements Disposable {
  readonly #port: number;
  readonly #sockets = new Map<number, Socket>();
  readonly #waiting = new Map<number, (() => void)[]>();
  #lost = 0;

  constructor(baseUrl: string) {
    this.#port = Number(new URL(baseUrl).port);
  }

  /** Connections that the server has ended. */
  get lost(): number {
    return this.#lost;
  }

  async open(count: number): Promise<void> {
    let next = 1;
    const openOn = async () => {
      while (next <= count) {
        next += 1;
        await this.#open(next - 1);
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openOn));
  }

  /** Resolves with its first event. */
  #open(account: number): Promise<void> {
    const socket = connect({ port: this.#port, host: "127.0.0.1" });
    this.#sockets.set(account, socket);
    const query = `email_address=${encodeURIComponent(emailOf(account))}&token=${tokenOf(account)}`;
    socket.write(`GET /shows/timers/changes?${query} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\n\r\n`);
    return new Promise((resolve, reject) => {
      void this.heard(account).then(resolve, reject);
      socket.setEncoding("latin1").on("data", (text: string) => {
        if (!text.startsWith("HTTP/1.1 200") && text.startsWith("HTTP/1.1")) reject(new Error(text));
        if (text.includes("event: list")) this.#hear(account);
      });
      socket.on("error", reject);
      socket.once("close", () => {
        this.#lost += 1;
        reject(new Error("the guide server ended a stream"));
      });
    });
  }

  #hear(account: number): void {
    for (const wake of this.#waiting.get(account) ?? []) wake();
    this.#waiting.delete(account);
  }

  /** Resolves when the account hears of a change; one event may tell of several. */
  heard(account: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`account ${account} hears of no change`));
      const timer = setTimeout(late, PATIENCE_MS);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.set(account, [...(this.#waiting.get(account) ?? []), wake]);
    });
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets.values()) socket.removeAllListeners("close").destroy();
  }
}
