import type { Duplex } from "node:stream";
import type { NodeAgent } from "./node-agent.ts";
import type { NodeFiles } from "./ports.ts";

/**
 * Lets one leader give orders to the agent of this node. All orders over a connection are of the term of its leader. A later
 * term ends the connections of earlier ones, and these are refused from then on.
 */
export class NodeDoor {
  #term = 0;
  #agent: NodeAgent | undefined;
  #admitted: { readonly socket: Duplex; readonly term: number } | undefined;

  /** The latest term that was seen. */
  get term(): number {
    return this.#term;
  }

  get isOpen(): boolean {
    return this.#agent !== undefined;
  }

  /** The files of this node, for the leader; absent: it shows none. */
  get files(): NodeFiles | undefined {
    return this.#agent?.files;
  }

  /** From now on, the leader may give orders to this agent; absent: to none. */
  offer(agent: NodeAgent | undefined): void {
    if (agent === this.#agent) return;
    this.#agent = agent;
    this.close();
  }

  /** Notes a term that the database has. */
  knows(term: number): void {
    if (term <= this.#term) return;
    this.#term = term;
    if (this.#admitted !== undefined && this.#admitted.term < term) this.close();
  }

  /** @param term at least the latest one */
  admit(socket: Duplex, term: number): void {
    this.close();
    this.#term = term;
    this.#admitted = { socket, term };
    this.#agent?.serve(socket);
  }

  /** Ends the connection of the leader. */
  close(): void {
    this.#admitted?.socket.destroy();
  }
}
