import { z } from "zod";
import type { WebRoute } from "../kit/web-server.ts";
import type { Difference, Unknown, WhatIf } from "../model/what-if.ts";
import { json } from "./json.ts";

const Name = z.string().min(1).max(200);

const WhatIfBody = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("without-tuner"), tunerId: Name }),
  z.strictObject({ kind: z.literal("padding"), minutes: z.int().min(0).max(1440) }),
  z.strictObject({ kind: z.literal("priority"), timerId: Name, priority: z.int().min(0).max(100) }),
  z.strictObject({
    kind: z.literal("add"),
    channel: Name,
    start: z.int().min(0),
    minutes: z.int().min(1).max(1440),
  }),
]);

/** Asks for the plan with a change, which is not made. */
export function whatIfRoute(answer: (change: WhatIf) => Promise<Difference | Unknown>): WebRoute {
  return {
    method: "POST",
    path: "/v1/what-if",
    handle: async ({ body }) => {
      const { data } = WhatIfBody.safeParse(parsed(body.toString("utf8")));
      return data === undefined ? json(400, { error: "malformed" }) : json(200, await answer(data));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
