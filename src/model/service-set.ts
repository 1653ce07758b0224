import type { TripletKey } from "./service.ts";

/** Services by their keys. In a key, `*` stands for any original network or transport stream, because a list does not name it. */
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
