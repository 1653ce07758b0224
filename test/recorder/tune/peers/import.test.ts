import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { authorizationFor } from "../../../../src/kit/http/http-auth.ts";
import { multiplexKey } from "../../../../src/model/service.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { temporaryFolder } from "../../../main-job/recorder.ts";
import { broadcast } from "../../../simulator/air.ts";
import { ON_AIR, USER } from "../fakes/air.ts";
import { installed } from "./program.ts";
import { startTvheadend } from "./tvheadend.ts";

const program = installed("tvheadend", "RECORDERD_TVHEADEND");

it.skipIf(program === undefined)(
  "recorderd tuners import reads the M3U of a real Tvheadend (needs tvheadend)",
  async () => {
    await using folder = await temporaryFolder();
    await using air = await broadcast(ON_AIR);
    await using server = await startTvheadend(program ?? "", {
      folder: join(folder.path, "server"),
      multiplexAt: (service) => `${air.baseUrl}/multiplex/${multiplexKey(service)}`,
      inputs: 2,
      mapsChannels: true,
    });
    const uri = "/playlist/channels.m3u";
    const challenge = (await fetch(`${server.address}${uri}`)).headers.get("www-authenticate") ?? "";
    const authorization = authorizationFor({ challenge, method: "GET", uri }, USER) ?? "";
    const answer = await fetch(`${server.address}${uri}`, { headers: { authorization } });
    expect(answer.status).toBe(200);
    const list = join(folder.path, "channels.m3u");
    await writeFile(list, await answer.text());
    const { out, err, code } = await commandLine(["tuners", "import", list, "--check", "--json"]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    // It names addresses of its own, and no triplets: channels are matched by their names.
    expect(JSON.parse(out)).toMatchObject({ services: ON_AIR.length, withTriplet: 0, mistakes: [] });
  },
  180_000,
);
