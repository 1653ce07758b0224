import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { SIM_API_KEY, SIM_REGION } from "../../src/simulator/world.ts";
import { soon, type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { Machine, whyNoMachine } from "./machine.ts";

const PACKAGES = join(import.meta.dirname, "../../build/package");
/** How many capture hosts there are. */
const HOSTS = "pgrep -c -u recorderd -f capture/host/main.js || true";
const why = whyNoMachine();

// Said here: a skipped test says nothing.
if (why !== undefined) process.stderr.write(`skipped, no systemd can be booted: ${why}\n`);

describe.skipIf(why !== undefined)("the package under a real systemd", () => {
  let machine: Machine;
  let world: TestWorld;
  let folder: { readonly path: string } & AsyncDisposable;
  let recordings: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    recordings = join(folder.path, "recordings");
    await mkdir(recordings);
    world = await testWorld(folder.path);
    machine = await Machine.boot([`${recordings}:/srv/recordings`, `${PACKAGES}:/opt/packages`]);
    // Whether this host's Node is a package of Debian does not matter here.
    await machine.do("dpkg --force-depends -i /opt/packages/recorderd_*_all.deb");
    await machine.do("chown recorderd:recorderd /srv/recordings");
    await configure({});
    const secrets = stringify({
      apiKey: SIM_API_KEY,
      account: { email: "viewer@sim.example", token: world.token },
    });
    await machine.do("install -d -o recorderd -g recorderd -m 0750 /var/lib/recorderd");
    await machine.write("var/lib/recorderd/secrets.yaml", secrets);
    await machine.do(
      "chown recorderd: /var/lib/recorderd/secrets.yaml; chmod 600 /var/lib/recorderd/secrets.yaml",
    );
    await machine.do("systemctl start recorderd");
  });

  /** A row for each thing that was done in the middle of a recording: docs/dev/service.md has them. */
  const outcomes: string[] = [];

  afterAll(async () => {
    process.stdout.write(`${outcomes.join("\n")}\n`);
    await machine?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  async function configure(more: object): Promise<void> {
    const { deviceId } = world;
    const { guideUrl, broadcaster } = world.world;
    await machine.write(
      "etc/recorderd/recorderd.yaml",
      stringify({
        guide: { url: guideUrl, regionId: SIM_REGION, deviceId, sync: "* * * * * *" },
        recordings: { folder: "/srv/recordings", padding: { beforeSeconds: 1, afterSeconds: 1 } },
        tuners: [{ kind: "mock", id: "sim-1", broadcaster: broadcaster.baseUrl }],
        ...more,
      }),
    );
  }

  async function snapshot(): Promise<Snapshot | undefined> {
    const { code, out } = await machine.ask("recorderd status --json");
    return code === 0 ? (JSON.parse(out) as Snapshot) : undefined;
  }

  async function recordingOf(timerId: string): Promise<Recording | undefined> {
    return (await snapshot())?.recordings.findLast((recording) => recording.timerId === timerId);
  }

  /** Books an event and returns when some of it is on disk. */
  async function begun(title: string, seconds: number): Promise<string> {
    const start = soon();
    const timerId = await world.world.book(
      { channel: 1, title, start, durationMs: seconds * SECOND },
      world.deviceId,
    );
    await machine.until(
      `${title} is recorded`,
      async () => (await recordingOf(timerId))?.state === "recording",
    );
    // A second of the event is there: what happens now happens in the middle of it, however fast the machine.
    await machine.until(`${title} is on`, async () => Date.now() >= start + SECOND);
    expect(await machine.do(HOSTS)).toBe("1");
    return timerId;
  }

  async function ended(timerId: string): Promise<Recording> {
    let found: Recording | undefined;
    await machine.until(`timer ${timerId} has ended`, async () => {
      found = await recordingOf(timerId);
      return found !== undefined && isTerminal(found.state);
    });
    return found as Recording;
  }

  /** Notes the losses and the reports to the service, which are in the order of the states. */
  async function note(what: string, { timerId, evidence }: Recording): Promise<void> {
    const { gaps = [], windowMs = 0, bytes = 0, windowCoveredMs = 1 } = evidence ?? {};
    const missingMs = windowMs - windowCoveredMs;
    const packets = Math.round((bytes / 188 / windowCoveredMs) * missingMs);
    const told = await world.world.guide.timerReports(timerId);
    const said = told.flatMap(({ state }) => (state === undefined ? [] : [state]));
    const states = said.filter((state, at) => state !== said[at - 1]);
    expect([states[0], states[1]]).toEqual(["waiting", "running"]);
    const lost = gaps.length === 0 ? "0" : `about ${packets} (${(missingMs / SECOND).toFixed(1)} s)`;
    outcomes.push(`| ${what} | ${lost} | ${states.join(", ")} | ${told.at(-1)?.message} |`);
  }

  /** One attempt, one segment, every packet; and the service hears of nothing else. */
  async function expectWhole(what: string, recording: Recording): Promise<void> {
    const { state, attempts, evidence } = recording;
    expect({ state, attempts: attempts.length }).toEqual({ state: "completed", attempts: 1 });
    expect(evidence).toMatchObject({ segments: 1, continuityErrors: 0, gaps: [] });
    const name = (evidence?.file ?? "").replace("/srv/recordings", recordings);
    await using file = openInspection(name, undefined);
    const inspection = await file.advance(new AbortController().signal);
    expect(inspection).toMatchObject({ continuityErrors: 0, junkBytes: 0, clockBreaks: [] });
    expect(inspection.spans).toHaveLength(1);
    await note(what, recording);
    expect(outcomes.at(-1)).toMatch(/\| 0 \| waiting, running, completed \|/);
  }

  /** Expects the report to show the data that was not on disk as a gap. */
  async function expectGap(what: string, recording: Recording): Promise<void> {
    const { state, attempts, evidence } = recording;
    expect({ state, segments: evidence?.segments, attempts: attempts.length }).toEqual({
      state: "partial",
      segments: 2,
      attempts: 2,
    });
    expect(evidence).toMatchObject({ continuityErrors: 0, gaps: [expect.anything()] });
    await note(what, recording);
    expect(outcomes.at(-1)).toMatch(/\| waiting, running, failed \| .*missing/);
  }

  async function mainPid(): Promise<string> {
    return await machine.property("recorderd", "MainPID");
  }

  async function expectAnotherLife(before: string): Promise<void> {
    await machine.until("another process is ready", async () => {
      const [pid, state] = [await mainPid(), await machine.property("recorderd", "ActiveState")];
      return pid !== before && pid !== "0" && state === "active";
    });
  }

  it("starts, and shows its status line", async () => {
    expect(await machine.property("recorderd", "ActiveState")).toBe("active");
    await machine.until("it says so", async () =>
      /recording nothing/.test(await machine.property("recorderd", "StatusText")),
    );
  });

  it("R-34 loses no packet when restarted during a recording", async () => {
    const timerId = await begun("Restarted", 12);
    const before = await mainPid();
    await machine.do("systemctl restart recorderd");
    expect(await mainPid()).not.toBe(before);
    await expectWhole("`systemctl restart`", await ended(timerId));
  });

  it("R-34 loses no packet when killed", async () => {
    const timerId = await begun("Killed", 12);
    const before = await mainPid();
    await machine.do("systemctl kill --kill-who=main --signal=KILL recorderd");
    await expectAnotherLife(before);
    await expectWhole("the daemon is killed", await ended(timerId));
  });

  it("R-34 loses no packet when it hangs and the watchdog ends it", async () => {
    await machine.do("mkdir -p /run/systemd/system/recorderd.service.d");
    await machine.do(
      "printf '[Service]\\nWatchdogSec=4\\n' > /run/systemd/system/recorderd.service.d/watchdog.conf",
    );
    await machine.do("systemctl daemon-reload && systemctl restart recorderd");
    const timerId = await begun("Hung", 16);
    const before = await mainPid();
    await machine.do("systemctl kill --kill-who=main --signal=STOP recorderd");
    await expectAnotherLife(before);
    expect(await machine.journal()).toMatch(/Watchdog timeout/);
    await expectWhole("it hangs, and the watchdog ends it", await ended(timerId));
    await machine.do(
      "rm -r /run/systemd/system/recorderd.service.d && systemctl daemon-reload && systemctl restart recorderd",
    );
  });

  it("R-34 applies a new configuration during a recording, and names the keys that need a restart", async () => {
    const timerId = await begun("Reloaded", 14);
    const before = await mainPid();
    await configure({ log: { level: "debug" }, data: { folder: "/var/lib/recorderd/elsewhere" } });
    await machine.do("systemctl reload recorderd");
    await machine.until("it was taken over", async () =>
      /log\.level.*this change takes effect now/.test(await machine.journal()),
    );
    expect(await machine.journal()).toMatch(/data\.folder.*this change takes effect after a restart/);
    await machine.until("it says so", async () =>
      /changes that need a restart: data\.folder/.test(await machine.property("recorderd", "StatusText")),
    );
    expect(await mainPid()).toBe(before);
    await expectWhole("`systemctl reload` with another configuration", await ended(timerId));
  });

  it("refuses an invalid configuration, names the mistakes, and continues", async () => {
    const before = await mainPid();
    await configure({ log: { level: "loud" } });
    const { code } = await machine.ask("systemctl reload recorderd");
    expect(code).not.toBe(0);
    expect(await machine.journal()).toMatch(/log\.level/);
    expect(await machine.property("recorderd", "ActiveState")).toBe("active");
    expect(await mainPid()).toBe(before);
    await configure({});
    await machine.do("systemctl reload recorderd");
  });

  it("R-34 loses no packet when upgraded during a recording", async () => {
    const timerId = await begun("Upgraded", 14);
    const before = await mainPid();
    await machine.do("dpkg --force-depends -i /opt/packages/recorderd_*_all.deb");
    expect(await mainPid()).not.toBe(before);
    await expectWhole("the package is upgraded", await ended(timerId));
  });

  it("R-34 loses no packet when stopped and started again: the capture continues", async () => {
    const timerId = await begun("Stopped", 16);
    await machine.do("systemctl stop recorderd");
    const before = (await world.world.guide.timerReports(timerId)).length;
    await machine.do("sleep 3");
    expect(await world.world.guide.timerReports(timerId)).toHaveLength(before);
    await machine.do("systemctl start recorderd");
    await expectWhole("`systemctl stop recorderd`, started again 3 s later", await ended(timerId));
  });

  it("closes the files of captures that are stopped too, and reports the gap after the next start", async () => {
    const timerId = await begun("Stopped with its captures", 16);
    await machine.do("systemctl stop recorderd recorderd-captures");
    expect((await machine.ask("pgrep -u recorderd")).out).toBe("");
    await machine.do("sleep 3");
    await machine.do("systemctl start recorderd");
    await expectGap(
      "`systemctl stop recorderd recorderd-captures`, started again 3 s later",
      await ended(timerId),
    );
  });

  it("R-06 continues at once after the capture host is killed, as for lack of memory, and the daemon stays", async () => {
    const timerId = await begun("Without its host", 16);
    const before = await mainPid();
    await machine.do("pkill -KILL -u recorderd -f capture/host/main.js");
    await expectGap("the capture host is killed", await ended(timerId));
    expect(await mainPid()).toBe(before);
    // The decision left to the service manager when the kernel kills the process.
    expect(await machine.property("recorderd", "OOMPolicy")).toBe("continue");
  });

  it("is hardened: it has only the necessary rights", async () => {
    const pid = await mainPid();
    const status = await machine.do(`cat /proc/${pid}/status`);
    expect(status).toMatch(/CapBnd:\s0000000000000000/);
    expect(status).toMatch(/NoNewPrivs:\s1/);
    expect(status).toMatch(/Seccomp:\s2/);
    expect(status).toMatch(/Uid:\s[1-9]/);
    // A process of the same unit, for as long as it takes to try.
    const unit = (await machine.do("systemctl cat recorderd")).replace(
      /^(ExecStart|ExecReload|Restart|Watchdog|Type|RuntimeDirectory).*/gm,
      "",
    );
    const probe = [
      't() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo $name can; else echo $name cannot; fi; }',
      "t etc touch /etc/recorderd/x",
      "t usr touch /usr/x",
      "t home ls /root",
      "t recordings touch /srv/recordings/probe",
      "t own-data touch /var/lib/recorderd/probe",
      "t suid sh -c 'cp /bin/true /var/lib/recorderd/s && chmod u+s /var/lib/recorderd/s'",
      "t namespace unshare --user true",
      "t fuse sh -c ': < /dev/fuse'",
      "t null sh -c ': < /dev/null'",
      "t other-processes sh -c 'test -e /proc/1/status'",
      "t node node -e 'os.cpus()'",
      "t priority sh -c 'test \"$(nice -n 5 nice)\" = 5 && ionice -c 3 true'",
      "rm -f /srv/recordings/probe /var/lib/recorderd/probe /var/lib/recorderd/s",
    ].join("\n");
    await machine.do("test -e /dev/fuse || mknod /dev/fuse c 10 229; chmod 666 /dev/fuse");
    await machine.write("usr/local/bin/probe", `#!/bin/sh\n${probe}\n`);
    await machine.do("chmod 755 /usr/local/bin/probe");
    await machine.write(
      "etc/systemd/system/probe.service",
      unit
        .replace("[Service]", "[Service]\nType=oneshot\nExecStart=/usr/local/bin/probe")
        .replace(/^#.*$/gm, ""),
    );
    await machine.do("systemctl daemon-reload && systemctl start probe");
    const said = await machine.do("journalctl --no-pager -o cat -u probe");
    const found = Object.fromEntries(
      [...said.matchAll(/^(\S+) (can|cannot)$/gm)].map(([, what, how]) => [what, how]),
    );
    expect(found).toEqual({
      etc: "cannot",
      usr: "cannot",
      home: "cannot",
      recordings: "can",
      "own-data": "can",
      suid: "cannot",
      namespace: "cannot",
      fuse: "cannot",
      null: "can",
      "other-processes": "cannot",
      node: "can",
      priority: "can",
    });
  });

  it("R-38 publishes the next wake, and prevents sleep while it records", async () => {
    await configure({ power: { inhibitSleep: true } });
    await machine.do("systemctl reload recorderd");
    const inhibited = async () =>
      /recorderd/.test((await machine.ask("systemd-inhibit --list --no-pager")).out);
    expect(await inhibited()).toBe(false);
    const timerId = await begun("Awake", 14);
    await machine.until("sleep is inhibited", inhibited, 30_000);
    expect(await machine.do("cat /var/lib/recorderd/next-wake")).toBe("0 nothing is planned");
    await ended(timerId);
    await machine.until("it may sleep again", async () => !(await inhibited()), 30_000);
    await configure({});
    await machine.do("systemctl reload recorderd");
  });

  it("sees a disk mounted while it runs, and does not prevent its unmounting", async () => {
    const pid = await mainPid();
    const seen = () => machine.ask(`grep -c /mnt/late /proc/${pid}/mountinfo`);
    await machine.do("mkdir -p /mnt/late && mount -t tmpfs late /mnt/late");
    expect(Number((await seen()).out)).toBeGreaterThan(0);
    const options = (await machine.do(`grep /mnt/late /proc/${pid}/mountinfo`)).split(" ")[5];
    expect(options).toMatch(/^rw/);
    await machine.do("umount /mnt/late");
    expect((await seen()).out).toBe("0");
  });

  it("closes the files of captures at shutdown, continues after the next boot, and reports the gap", async () => {
    const timerId = await begun("Across a reboot", 40);
    await machine.do("systemctl enable recorderd");
    await machine.powerOff();
    await machine.start();
    expect(await machine.journal("recorderd-captures")).toMatch(/1 capture ended/);
    await machine.do("systemctl start recorderd");
    await expectGap("reboot", await ended(timerId));
  });

  it("has no root command that follows links of the service's user", async () => {
    await machine.do("systemctl stop recorderd");
    const folder = "/var/lib/recorderd";
    const asService = (script: string) => machine.do(`runuser -u recorderd -- sh -c '${script}'`);
    await machine.do("install -d -m 700 /root/own && echo own >/root/own/file && chmod 600 /root/own/file");
    const own = () =>
      machine.do("ls -ln --time-style=full-iso /root/own; cat /root/own/file; stat -c %a:%u /root/own");
    const before = await own();
    const traps = [
      `cd ${folder}; for name in daemon.lock secrets.yaml document.json; do ln -sf /root/own/file $name; done`,
      `cd ${folder}; for name in daemon.lock secrets.yaml document.json; do ln -sf /root/own/new $name; done`,
      `cd ${folder}; mkdir -p .restore; echo "{\\"install\\":[],\\"remove\\":[\\"../../../root/own\\"]}" >.restore/ready.json`,
    ];
    await asService(`cd ${folder}; mkdir -p ../recorderd/kept; mv secrets.yaml document.json* kept/`);
    const config = "--config /etc/recorderd/recorderd.yaml";
    for (const trap of traps) {
      await asService(trap);
      for (const command of [
        `recorderd web token test ${config} </dev/null`,
        `recorderd login viewer@sim.example ${config} </dev/null`,
        `recorderd backup /root/backup.tgz --with-secrets ${config}`,
        `recorderd restore /root/backup.tgz --replace ${config}`,
        `timeout 5 recorderd run ${config}`,
        "systemctl start recorderd && sleep 2; systemctl stop recorderd",
      ]) {
        await machine.ask(command);
        expect({ trap, command, own: await own() }).toEqual({ trap, command, own: before });
      }
      await asService(`cd ${folder}; rm -rf daemon.lock secrets.yaml document.json .restore`);
    }
    await asService(`cd ${folder}; mv kept/* .; rmdir kept`);
    await machine.do("rm -f /root/backup.tgz; systemctl start recorderd");
  });

  it("keeps only recordings on purge", async () => {
    const before = readdirSync(recordings).length;
    await machine.do("dpkg --purge recorderd");
    expect(readdirSync(recordings)).toHaveLength(before);
    expect((await machine.ask("ls /var/lib/recorderd /etc/recorderd /usr/lib/recorderd")).code).not.toBe(0);
    expect((await machine.ask("pgrep -u recorderd")).out).toBe("");
  });
});
