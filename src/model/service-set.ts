import type { TripletKey } from "./service.ts";

/**
 * Services by their keys. In a key, `*` stands for the original network or the transport stream, where a list does not name it:
 * any will do.
 */
export class ServiceSet implements Pick<ReadonlySet<TripletKey>, "has" | "keys"> {
  readonly #keys: ReadonlySet<TripletKey>;

  constructor(keys: Iterable<TripletKey>) {
    this.#keys = new Set(keys);
  }

  has(service: TripletKey): boolean {
    if (this.#keys.has(service)) return true;
    const [onid, tsid, sid] = service.split("/");
    return this.#keys.has(`*/${tsid}/${sid}`) || this.#keys.has(`${onid}/*/${sid}`);
  }

  keys(): SetIterator<TripletKey> {
    return this.#keys.keys();
  }
}
