import { z } from "zod";
import type { WebAnswer, WebRoute } from "../kit/web-server.ts";
import { RecorderdError } from "../model/errors.ts";
import type { JobView } from "../model/job.ts";
import type { LibraryEntry } from "../model/library.ts";
import { json } from "./json.ts";

/** What people may see of the library and ask of it. Refusals are RecorderdErrors. */
export interface LibraryFace {
  /** Deleted ones included, as long as they are remembered. */
  entries(): readonly LibraryEntry[];
  jobs(): readonly JobView[];
  mark(id: string, flags: Flags): Promise<LibraryEntry>;
  remove(id: string): Promise<LibraryEntry>;
}

export interface Flags {
  readonly protected?: boolean;
  readonly watched?: boolean;
}

const FlagsBody = z.strictObject({ protected: z.boolean().optional(), watched: z.boolean().optional() });

export function libraryRoutes(library: LibraryFace): readonly WebRoute[] {
  return [
    {
      method: "GET",
      path: "/v1/recordings",
      handle: async () => json(200, library.entries()),
    },
    {
      method: "GET",
      path: "/v1/jobs",
      handle: async () => json(200, library.jobs()),
    },
    {
      method: "POST",
      path: "/v1/recordings/:id/flags",
      handle: ({ params, body }) =>
        answered(() => library.mark(params["id"] ?? "", flagsOf(body.toString("utf8")))),
    },
    {
      method: "DELETE",
      path: "/v1/recordings/:id",
      handle: ({ params }) => answered(() => library.remove(params["id"] ?? "")),
    },
  ];
}

function flagsOf(body: string): Flags {
  const { protected: isProtected, watched } = FlagsBody.parse(JSON.parse(body));
  return {
    ...(isProtected === undefined ? {} : { protected: isProtected }),
    ...(watched === undefined ? {} : { watched }),
  };
}

/** A refusal goes to the person in its own words. */
async function answered(work: () => Promise<unknown>): Promise<WebAnswer> {
  try {
    return json(200, await work());
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const status = error.code === "RECORDING_UNKNOWN" ? 404 : 409;
    return json(status, { code: error.code, message: error.message });
  }
}
