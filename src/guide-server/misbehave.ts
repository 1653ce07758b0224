import type { WebRequest, WebRoute } from "../kit/http/web-server.ts";
import type { Clock } from "../kit/time/clock.ts";
import { Chance } from "./demo/chance.ts";
import type { GuideRoute } from "./http/route.ts";
import { MISBEHAVIOURS, type Misbehaviour, type Turn } from "./misbehaviours.ts";

export type MisbehaviourName = keyof typeof MISBEHAVIOURS;

export const MISBEHAVIOUR_NAMES = Object.keys(MISBEHAVIOURS) as readonly MisbehaviourName[];

export interface MisbehaveOptions {
  readonly kinds: readonly MisbehaviourName[];
  /** Equal seeds misbehave equally. */
  readonly seed: number;
}

/** Applies misbehaviours to the answers of routes with credentials; the service's own data stays correct. */
export function misbehaving(
  { kinds, seed }: MisbehaveOptions,
  clock: Clock,
): (route: GuideRoute, good: WebRoute) => WebRoute {
  const chance = new Chance("misbehave", seed);
  const counts = new Map<string, number>();
  let lists = 0;
  // In the order of the table, in which no misbehaviour hides another.
  const habits: readonly Misbehaviour[] = MISBEHAVIOUR_NAMES.filter((name) => kinds.includes(name)).map(
    (name) => MISBEHAVIOURS[name],
  );
  return (route, good) => {
    if (route.account !== "signed-in") return good;
    const name = `${route.method} ${route.path}`;
    const ours = habits.filter(({ spoils }) => isSpoilt(spoils, route));
    return {
      ...good,
      handle: async (request) => {
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        if (name === PLACES.list) lists += 1;
        let turn: Turn = { request: spoilable(request, ours), count, lists, chance, clock };
        for (const { instead } of ours) {
          const answer = instead?.(turn);
          if (answer !== undefined) return answer;
        }
        for (const habit of ours) turn = { ...turn, request: habit.request?.(turn) ?? turn.request };
        let answer = await good.handle(turn.request);
        for (const habit of ours) answer = habit.answer?.(answer, turn) ?? answer;
        return answer;
      },
    };
  };
}

/** Without If-None-Match: the correct service would confirm its own list, which is not the spoilt one that the client has. */
function spoilable(request: WebRequest, habits: readonly Misbehaviour[]): WebRequest {
  if (habits.length === 0) return request;
  const { "if-none-match": _tag, ...headers } = request.headers;
  return { ...request, headers };
}

function isSpoilt(spoils: Misbehaviour["spoils"], { method, path }: GuideRoute): boolean {
  if (spoils === "account") return true;
  return spoils === "rules" ? /^\/rules(\/|$)/.test(path) : PLACES[spoils] === `${method} ${path}`;
}

const PLACES = {
  list: "GET /shows/timers",
  order: "POST /shows/timers",
  change: "PUT /shows/timers/{timer_id}",
} as const;
