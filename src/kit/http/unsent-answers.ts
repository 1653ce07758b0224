import type { ServerResponse } from "node:http";

/** Shorter answers fit into the buffers of the system. */
const BYTES_MIN = 16 * 1024;

interface Waiting {
  readonly body: Buffer | string;
  readonly address: string;
}

/**
 * Answers in memory that their clients have not read yet. Beyond the limit, the longest wait of the address with most bytes is cut
 * off: whoever asks and does not read takes no memory from the others.
 */
export class UnsentAnswers {
  readonly #bytesMax: number;
  /** In the order of their beginnings. */
  readonly #waiting = new Map<ServerResponse, Waiting>();
  /** Answers that share a body need its memory once. */
  readonly #bodies = new Map<Buffer | string, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Counts an answer until it is sent, or its connection has ended. */
  add(response: ServerResponse, waiting: Waiting): void {
    if (waiting.body.length < BYTES_MIN || response.destroyed) return;
    this.#waiting.set(response, waiting);
    this.#count(waiting.body, 1);
    response.once("close", () => this.#remove(response));
    while (this.#bytes > this.#bytesMax && this.#waiting.size > 1) {
      const [oldest] = this.#ofGreediest();
      if (oldest === undefined) return;
      oldest.socket?.destroy();
      this.#remove(oldest);
    }
  }

  #remove(response: ServerResponse): void {
    const waiting = this.#waiting.get(response);
    if (!this.#waiting.delete(response) || waiting === undefined) return;
    this.#count(waiting.body, -1);
  }

  #count(body: Buffer | string, more: 1 | -1): void {
    const before = this.#bodies.get(body) ?? 0;
    const now = before + more;
    if (now === 0) this.#bodies.delete(body);
    else this.#bodies.set(body, now);
    if (before === 0) this.#bytes += body.length;
    if (now === 0) this.#bytes -= body.length;
  }

  /** The answers of the address that has most bytes. */
  #ofGreediest(): readonly ServerResponse[] {
    const bytes = new Map<string, number>();
    for (const { body, address } of this.#waiting.values())
      bytes.set(address, (bytes.get(address) ?? 0) + body.length);
    const [greediest] = [...bytes].reduce((a, b) => (b[1] > a[1] ? b : a), ["", -1] as const);
    return [...this.#waiting].flatMap(([response, { address }]) => (address === greediest ? [response] : []));
  }
}
