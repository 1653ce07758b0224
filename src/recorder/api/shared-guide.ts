import { yieldToLoop } from "../../kit/time/clock.ts";
import { xmlChunks } from "../../kit/xml/xml.ts";
import type { ShowView } from "../../web/guide-api.ts";
import { type GuideStation, xmltvOf } from "./xmltv.ts";

/** All that a guide is made of. */
interface GuideContent {
  readonly stations: readonly GuideStation[];
  readonly shows: readonly ShowView[];
  /** Addresses of the stations' logos, in the same order. */
  readonly icons: readonly (string | undefined)[];
}

interface Made extends GuideContent {
  readonly body: Buffer;
}

/**
 * The XMLTV guide for everybody who asks. It may have tens of megabytes, and anybody in the house may ask through the HDHomeRun
 * emulation: it is made once for all who ask at the same time, in turns of the loop, and kept while nothing in it has changed.
 */
export class SharedGuide {
  readonly #making = new Map<string, Promise<Buffer>>();
  #latest: Made | undefined;

  /** @param key equal for equal answers at one time */
  body(key: string, content: () => Promise<GuideContent>): Promise<Buffer> {
    const making = this.#making.get(key);
    if (making !== undefined) return making;
    const made = this.#made(content).finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    return made;
  }

  async #made(content: () => Promise<GuideContent>): Promise<Buffer> {
    const now = await content();
    const latest = this.#latest;
    if (latest !== undefined && isSame(latest, now)) return latest.body;
    const body = await bodyOf(now);
    this.#latest = { ...now, body };
    return body;
  }
}

async function bodyOf({ stations, shows, icons }: GuideContent): Promise<Buffer> {
  const iconOf = new Map(stations.map(({ channelId }, index) => [channelId, icons[index]]));
  const chunks: Buffer[] = [];
  for (const chunk of xmlChunks(
    xmltvOf(stations, shows, (id) => iconOf.get(id)),
    "UTF-8",
  )) {
    chunks.push(Buffer.from(chunk));
    await yieldToLoop();
  }
  return Buffer.concat(chunks);
}

/** Shows are never edited: a change makes another object. */
function isSame(one: GuideContent, other: GuideContent): boolean {
  return (
    one.shows.length === other.shows.length &&
    one.shows.every((show, index) => show === other.shows[index]) &&
    JSON.stringify([one.stations, one.icons]) === JSON.stringify([other.stations, other.icons])
  );
}
