import type { DurationMs, EpochMs } from "../../../src/model/time.ts";
import type { Window } from "../../../src/model/window.ts";
import type { TownNode } from "./town.ts";

interface LogLine {
  readonly at: EpochMs;
  readonly node: string;
  readonly msg: string;
  readonly term?: number;
  readonly level: string;
  readonly text: string;
}

/** All lines of all nodes, in order of time. */
export function logLines(nodes: readonly TownNode[]): readonly LogLine[] {
  return nodes
    .flatMap(({ name, recorder }) =>
      recorder.said.split("\n").flatMap((text): LogLine[] => {
        try {
          const { time, msg, term, level } = JSON.parse(text);
          return [{ at: new Date(time).getTime(), node: name, msg, term, level, text }];
        } catch {
          return [];
        }
      }),
    )
    .toSorted((a, b) => a.at - b.at);
}

/** A leader, from when it works. */
export interface Reign extends Window {
  readonly ledAt: EpochMs;
  readonly node: string;
  readonly term: number;
}

/** All leaders, by the logs. */
export function reignsIn(lines: readonly LogLine[]): readonly Reign[] {
  const began = lines.filter(({ msg }) => msg === "this node leads the fleet");
  return began.map(({ at, node, term = 0 }, index) => {
    const works = lines.find((line) => line.node === node && line.at >= at && line.msg === WORKS);
    return {
      ledAt: at,
      start: works?.at ?? at,
      stop: began[index + 1]?.at ?? Number.POSITIVE_INFINITY,
      node,
      term,
    };
  });
}

const WORKS = "recorderd is running";

/** From the loss of a leader until another one works. */
export function failoverMs(reigns: readonly Reign[], lostAt: EpochMs): DurationMs | undefined {
  const next = reigns.find(({ start }) => start > lostAt);
  return next && next.start - lostAt;
}
