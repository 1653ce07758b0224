import type { ListingOutcome } from "../../../src/guide-server/xmltv/listings.ts";
import { parseSource } from "../../../src/guide-server/xmltv/source.ts";
import { createHttpClient } from "../../../src/kit/http/http.ts";
import { outOfPatience } from "../../patience.ts";
import type { Hosted } from "../hosted.ts";

/** Has the server read these listings, the first one first in rank: files, addresses, or commands of the system's own. */
export async function readListings(
  { server, clock, folder }: Hosted,
  ...sources: readonly string[]
): Promise<readonly ListingOutcome[]> {
  await using http = createHttpClient();
  return await server.readListings({
    sources: sources.flatMap((text) => parseSource(text) ?? []),
    table: new Map(),
    fetching: { http, clock, folder, env: { PATH: "/usr/bin:/bin" }, signal: outOfPatience() },
  });
}
