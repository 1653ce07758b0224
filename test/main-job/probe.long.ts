import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { commandLine } from "../cli/command-line.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { soon, temporaryFolder, testWorld } from "./recorder.ts";

const keyOf = ({ onid, tsid, sid }: ReturnType<typeof simTriplet>) => `${onid}/${tsid}/${sid}`;

describe("recorderd tuners probe", () => {
  it("R-27 reports through the daemon how a service is received, and takes no tuner from a recording", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 5);
    const { world, deviceId } = home;
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    const service = keyOf(simTriplet(1));
    const probe = ["tuners", "probe", "--socket", join(folder.path, "control.sock")];
    const { out, err, code } = await commandLine([...probe, service, "--json"]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      tunerId: "sim-1",
      service,
      multiplex: service.slice(0, service.lastIndexOf("/")),
      tables: { triplet: simTriplet(1) },
      continuityErrors: 0,
      transportErrors: 0,
      scrambledPackets: 0,
    });
    expect(JSON.parse(out).payloadMs).toBeGreaterThan(0);
    expect(code).toBe(0);
    await expect
      .poll(() => recorder.daemon.snapshot().tuners[0])
      .toMatchObject({ state: "free", leases: [] });

    const start = soon();
    const timerId = await world.book({ channel: 1, title: "On", start, durationMs: 8 * SECOND }, deviceId);
    await recorder.until(timerId, ({ state }) => state === "recording");
    // Channel 5 is on another multiplex.
    const refused = await commandLine([...probe, keyOf(simTriplet(5))]);
    expect(refused.err).toMatch(/No tuner is free/);
    expect(refused.code).not.toBe(0);
    expect(recorder.daemon.snapshot().tuners[0]).toMatchObject({ leases: [] });
    const { attempts } = await recorder.until(timerId, ({ state }) => isTerminal(state));
    expect(attempts[0]?.flowingAt).toBeDefined();
  });

  it("R-27 gives the only tuner to one of two simultaneous probes, and refuses the other at once", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 5);
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    let isOver = false;
    // Channels 1 and 5 are on different multiplexes.
    const [first, second] = [simTriplet(1), simTriplet(5)].map((service) =>
      recorder.daemon.probe({ service }),
    );
    const found = first?.finally(() => {
      isOver = true;
    });
    await expect(second).rejects.toMatchObject({ code: "TUNER_BUSY" });
    expect(isOver).toBe(false);
    expect(await found).toMatchObject({ service: keyOf(simTriplet(1)), continuityErrors: 0 });
    await expect
      .poll(() => recorder.daemon.snapshot().tuners[0])
      .toMatchObject({ state: "free", leases: [] });
    // Nothing of the refused one is left: the tuner is there for it now.
    expect(await recorder.daemon.probe({ service: simTriplet(5) })).toMatchObject({ tunerId: "sim-1" });
  });

  it("R-22 shares the tuner that receives both services between two simultaneous probes", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 5);
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    const services = [simTriplet(1), simTriplet(1)];
    const reports = await Promise.all(services.map((service) => recorder.daemon.probe({ service })));
    for (const report of reports)
      expect(report).toMatchObject({ tunerId: "sim-1", continuityErrors: 0, scrambledPackets: 0 });
    for (const { packets } of reports) expect(packets).toBeGreaterThan(0);
  });

  it("works without a daemon by the configuration, and explains a missing signal", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const config = join(folder.path, "recorderd.yaml");
    await writeFile(
      config,
      stringify({
        guide: { url: home.world.guideUrl, regionId: 1 },
        recordings: { folder: folder.path },
        data: { folder: folder.path },
        control: { socket: join(folder.path, "nobody.sock") },
        tuners: simTuners(home, 1),
      }),
    );
    const { out, err, code } = await commandLine([
      "tuners",
      "probe",
      keyOf(simTriplet(1)),
      "--config",
      config,
    ]);
    expect(out).toMatch(/^service .* on tuner sim-1\ntuned after .*, picture or sound after /);
    expect(out).toMatch(/0 continuity errors, 0 transport errors, 0 packets scrambled/);
    expect(err).toMatch(/using its tuners directly$/);
    expect(code).toBe(0);
    home.world.broadcaster.misbehave(simTriplet(1), { kind: "refused", status: 503, times: 3 });
    const busy = await commandLine(["tuners", "probe", keyOf(simTriplet(1)), "--config", config, "--json"]);
    expect(JSON.parse(busy.out)).toMatchObject({ failure: { code: "TUNER_IN_USE" } });
    expect(busy.code).toBe(1);
  });
});
