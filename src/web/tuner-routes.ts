import { z } from "zod";
import type { WebRoute } from "../kit/web-server.ts";
import { RecorderdError } from "../model/errors.ts";
import type { ProbeOrder, ProbeReport } from "../model/probe.ts";
import { json } from "./json.ts";

const Id = z.int().min(0).max(0xffff);
const ProbeBody = z.strictObject({
  service: z.strictObject({ onid: Id, tsid: Id, sid: Id }),
  tunerId: z.string().min(1).max(200).optional(),
});

/** Tries whether a service is received. The answer comes when that is known; a refusal goes to the person in its own words. */
export function probeRoute(probe: (order: ProbeOrder) => Promise<ProbeReport>): WebRoute {
  return {
    method: "POST",
    path: "/v1/tuners/probe",
    handle: async ({ body }) => {
      const { data } = ProbeBody.safeParse(parsed(body.toString("utf8")));
      if (data === undefined) return json(400, { error: "malformed" });
      const { service, tunerId } = data;
      try {
        return json(200, await probe({ service, ...(tunerId === undefined ? {} : { tunerId }) }));
      } catch (error) {
        if (!(error instanceof RecorderdError)) throw error;
        return json(409, { code: error.code, message: error.message });
      }
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
