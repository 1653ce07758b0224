import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { loadBoxes } from "./boxes.ts";
import { after, now } from "./clock.ts";
import { loadShows, loadStations, type Show } from "./guide-data.ts";
import { returnCount } from "./state/live.ts";

/** The delay after typing before a search starts. */
const TYPING_MS = 300;

export interface WantedShows {
  readonly from: number;
  /** Absent: no end. */
  readonly to?: number;
  /** Empty: all shows. */
  readonly search: string;
}

/** Loads the shows that a page wants, and what is shown beside them. The last answer wins. */
export function useShows({ search, from, to }: WantedShows) {
  const shows = useSignal<readonly Show[] | undefined>(undefined);
  const failure = useSignal("");
  const before = useRef<WantedShows | undefined>(undefined);

  useEffect(() => {
    let isOver = false;
    async function load(): Promise<void> {
      try {
        await Promise.all([loadStations(), loadBoxes()]);
        // A search is for what is not over.
        const since = search === "" ? from : Math.max(from, now.peek());
        const found = await loadShows({ from: since, search, ...(to === undefined ? {} : { to }) });
        if (isOver) return;
        shows.value = found;
        failure.value = "";
      } catch (error) {
        // A request that is no longer needed may fail.
        if (!isOver) failure.value = error instanceof Error ? error.message : String(error);
      }
    }
    if (!goesOn(before.current, { search, from })) shows.value = undefined;
    before.current = { search, from, ...(to === undefined ? {} : { to }) };
    const callOff = after(search === "" ? 0 : TYPING_MS, () => void load());
    return () => {
      isOver = true;
      callOff();
    };
  }, [search, from, to, returnCount.value, shows, failure]);

  return { shows, failure };
}

/** Time has only advanced: what is shown still holds until the answer is here. */
function goesOn(before: WantedShows | undefined, { search, from }: WantedShows): boolean {
  return (
    before !== undefined &&
    search === "" &&
    before.search === "" &&
    before.from <= from &&
    from < (before.to ?? from)
  );
}
