import { type EpochMs, formatInstant } from "../../model/time.ts";
import type { FleetNode, FleetOverview } from "../../recorder/fleet/overview.ts";
import { plainLine, wrapped } from "../plain-text.ts";

interface Shown {
  readonly now: EpochMs;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
}

const COLUMNS = 80;
const INDENT = "  ";

/** The nodes of a fleet for people: who leads, who cannot, and what each one records. */
export function overviewText(
  { database, term, nodes }: FleetOverview,
  { now, columns = COLUMNS }: Shown,
): string {
  const line = (text: string) => wrapped(plainLine(text), columns);
  if (nodes.length === 0) return line(`${database} has no fleet yet: start recorderd.`).join("\n");
  const leader = nodes.find(({ role }) => role === "leader");
  const below = (text: string) =>
    wrapped(plainLine(text), columns - INDENT.length).map((each) => `${INDENT}${each}`);
  return [
    ...line(`${database}, term ${term}`),
    ...nodes.flatMap((node) => [
      ...line(`${node.name}: ${standing(node, now)}`),
      ...aboutNode(node, leader).flatMap(below),
    ]),
  ].join("\n");
}

function standing({ role, since, seenMs, isAway, drainedSince, isIdle }: FleetNode, now: EpochMs): string {
  const states = [
    ...(isAway ? [`away since ${formatInstant(now - seenMs)}`] : []),
    ...(role === "leader" ? [`leader since ${formatInstant(since)}`] : []),
    ...(drainedSince === undefined
      ? []
      : [`drained since ${formatInstant(drainedSince)}${isIdle ? "" : ", not idle yet"}`]),
  ];
  return states.length > 0 ? states.join(", ") : `standby since ${formatInstant(since)}`;
}

function aboutNode(
  { version, trouble, tuners, captures, isAway, isHome, keepsParts }: FleetNode,
  leader: FleetNode | undefined,
): readonly string[] {
  const differs = leader !== undefined && version !== leader.version;
  return [
    `version ${version}${differs ? `; the leader has ${leader.version}` : ""}`,
    ...(trouble === undefined ? [] : [`cannot lead: ${trouble}`]),
    ...(isHome ? ["keeps the recordings of the fleet"] : []),
    ...(keepsParts && isAway ? ["has recordings, or parts of some, that the others have not"] : []),
    ...(tuners.length === 0 ? [] : [`tuners: ${tuners.join(", ")}`]),
    ...(isAway ? [] : captures.map(({ tunerId, title }) => `records on ${tunerId}: ${title}`)),
  ];
}
