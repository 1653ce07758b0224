import { jsonChunks } from "../../kit/text/json-chunks.ts";
import { API_LIMITS } from "./limits.ts";
import { Differ, type Picture } from "./picture.ts";

interface PastEvent {
  readonly version: number;
  readonly text: string;
}

/** The versions of the picture, and the latest events: each has the changes from one version to the next. */
export class EventHistory {
  /** Versions of another run of the daemon mean nothing in this one. */
  readonly #life: string;
  readonly #differ = new Differ();
  #version = 0;
  #past: readonly PastEvent[] = [];
  #pastLength = 0;
  /** The first picture, until another is compared with it. */
  #first: Picture | undefined;

  /** @param life names this run of the daemon */
  constructor(life: string) {
    this.#life = life;
  }

  get version(): number {
    return this.#version;
  }

  /** Makes a version of a picture that differs from the one before. @returns its event; absent without a change */
  add(picture: Picture): string | undefined {
    if (this.#version === 0) {
      // Nobody has seen an earlier one. Comparing it costs as much as making it, so that waits for the next one.
      this.#version = 1;
      this.#first = picture;
      return undefined;
    }
    if (this.#first !== undefined) this.#differ.next(this.#first);
    this.#first = undefined;
    const delta = this.#differ.next(picture);
    if (delta === undefined) return undefined;
    this.#version += 1;
    const text = [...this.#pieces("change", { revision: this.#version, ...delta })].join("");
    this.#keep({ version: this.#version, text });
    return text;
  }

  /** The whole picture as an event, or the changes since the named event if they are still known. */
  beginning(picture: Picture, lastEventId: string | undefined): Iterable<string> {
    const [life, version] = lastEventId?.split("-") ?? [];
    const known = Number(version);
    const isKnown = life === this.#life && Number.isInteger(known) && known <= this.#version;
    const changes = isKnown ? this.since(known) : undefined;
    if (changes !== undefined) return changes;
    const { snapshot, entries, jobs } = picture;
    return this.#pieces("snapshot", { ...snapshot, revision: this.#version, entries, jobs });
  }

  /** The events after a version; `undefined` if some of them are forgotten. */
  since(version: number): readonly string[] | undefined {
    const oldest = this.#past[0]?.version ?? this.#version + 1;
    if (version < oldest - 1) return undefined;
    return this.#past.flatMap((event) => (event.version > version ? [event.text] : []));
  }

  #keep(event: PastEvent): void {
    this.#past = [...this.#past, event];
    this.#pastLength += event.text.length;
    while (this.#past.length > API_LIMITS.eventsKept || this.#pastLength > API_LIMITS.eventsKeptLength) {
      this.#pastLength -= this.#past[0]?.text.length ?? 0;
      this.#past = this.#past.slice(1);
    }
  }

  /** An event in pieces, with the version of now as its id. */
  #pieces(event: string, data: object): Iterable<string> {
    return eventPieces({ event, id: `${this.#life}-${this.#version}`, data });
  }
}

function* eventPieces({
  event,
  id,
  data,
}: {
  readonly event: string;
  readonly id: string;
  readonly data: object;
}): Generator<string, void, undefined> {
  yield `id: ${id}\nevent: ${event}\ndata: `;
  yield* jsonChunks(data);
  yield "\n\n";
}
