import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hosted } from "../guide-server/hosted.ts";
import { readListings } from "../guide-server/xmltv/read-listings.ts";
import { commandLine } from "./command-line.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-listing-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("recorderd listing prints the schedule in a capture, which the guide server imports as shows", async () => {
  const { out, err, code } = await commandLine(["listing", "test/fixtures/ts/rai-dvbt-mux.ts"]);
  expect([code, err]).toEqual([0, "10 services, 16 events"]);
  const file = join(folder, "listing.xml");
  await writeFile(file, out);
  expect(await commandLine(["check-xmltv", file])).toMatchObject({ code: 0, out: "" });

  await using guide = await hosted();
  guide.clock.step(Date.UTC(2022, 0, 16, 10) - guide.clock.now());
  const [outcome] = await readListings(guide, file);
  expect(outcome).toMatchObject({ kind: "read", report: { added: 16, leftOut: 0, flaws: [] } });
  const { channels } = (await guide.ask({ method: "GET", path: "/regions/channels" })).read("channels");
  const rai = channels.find(({ name }) => name === "Rai 1");
  expect(rai?.dvb).toEqual([{ original_network_id: 318, transport_stream_id: 18_432, service_id: 3401 }]);
  const { shows } = (await guide.ask({ method: "GET", path: `/shows?channel_id=${rai?.id}` })).read("shows");
  expect(shows).toMatchObject([
    { title: "Santa Messa dalla Chiesa di Sant'Andrea", start: "2022-01-16T09:55:00+00:00", eit_id: 59_625 },
    { title: "A Sua immagine", start: "2022-01-16T10:50:00+00:00", eit_id: 59_626 },
  ]);
});
