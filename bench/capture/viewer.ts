import { setTimeout as pause } from "node:timers/promises";

/** A player that takes segments as they come, or one after the other as long as each plays. */
export interface Viewer {
  /** Bytes of segments so far. */
  readonly bytes: () => number;
  /** Leaves. @throws what failed meanwhile */
  leave(): Promise<void>;
}

/** @param playlist address of a media playlist */
export function watch(playlist: string): Viewer {
  const left = new AbortController();
  const { signal } = left;
  let bytes = 0;
  let next = 0;

  async function play(): Promise<void> {
    for (;;) {
      const text = await textAt(next === 0 ? playlist : `${playlist}?_HLS_msn=${next}`);
      const isWhole = text.includes("#EXT-X-ENDLIST");
      for (const { number, seconds } of segmentsIn(text).filter((each) => each.number >= next)) {
        const answer = await fetch(new URL(`${number}.ts`, playlist), { signal });
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
        for await (const some of answer.body ?? []) bytes += some.length;
        next = number + 1;
        if (isWhole) await pause(seconds * 1000, undefined, { signal });
      }
      // From the beginning.
      if (isWhole) next = 0;
    }
  }

  async function textAt(address: string): Promise<string> {
    const answer = await fetch(address, { signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return text;
  }

  const ended = play().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  // A viewer who leaves hears of it.
  ended.catch(() => {});
  return {
    bytes: () => bytes,
    leave: async () => {
      left.abort();
      await ended;
    },
  };
}

function segmentsIn(playlist: string): readonly { readonly number: number; readonly seconds: number }[] {
  return [...playlist.matchAll(/#EXTINF:([\d.]+),\n(\d+)\.ts/g)].map(([, seconds, number]) => ({
    number: Number(number),
    seconds: Number(seconds),
  }));
}
