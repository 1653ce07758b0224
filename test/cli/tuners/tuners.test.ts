import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createWebServer } from "../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Snapshot } from "../../../src/model/snapshot.ts";
import { commandLine } from "../command-line.ts";

const TUNERS: Snapshot["tuners"] = [
  {
    id: "tvh",
    kind: "tvheadend",
    state: "receiving",
    multiplex: "4112/545",
    services: ["4112/545/1056", "4112/545/1057"],
    recordings: ["7", "8"],
    leases: [],
    heldUntil: Date.UTC(2026, 10, 20, 21, 30),
    reception: {
      input: "Frontend #1",
      isLocked: true,
      strengthPercent: 66,
      strengthDbm: -45.62,
      snrDb: 14.25,
      uncorrectedBlocks: 3,
      users: 2,
      at: 1,
    },
    health: [
      {
        multiplex: "4112/545",
        tries: 4,
        failures: 1,
        lockMs: 2300,
        errorsPerMillion: 120,
        at: 1,
        weakness: 1,
      },
    ],
  },
  {
    id: "tvh#2",
    kind: "tvheadend",
    state: "free",
    services: [],
    recordings: [],
    trouble: { code: "TUNER_NO_LOCK", at: Date.UTC(2026, 10, 20, 20, 0) },
    leases: [],
    health: [],
  },
  {
    id: "tvh#3",
    kind: "tvheadend",
    state: "lent",
    multiplex: "4112/546",
    services: ["4112/546/1060"],
    recordings: [],
    leases: [
      {
        id: "probe tvh#3",
        use: "probe",
        tunerId: "tvh#3",
        service: { onid: 4112, tsid: 546, sid: 1060 },
        since: 0,
        until: 1,
      },
    ],
    heldUntil: 1,
    quarantine: { since: 0, code: "TUNER_UNREACHABLE", triedAgainAt: 2 },
    health: [],
  },
];

it("recorderd tuners shows what each tuner does, its user, until when, and its latest problem", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-cli-tuners-"));
  const path = join(folder, "control.sock");
  const snapshot: Snapshot = {
    at: 0,
    version: "0",
    startedAt: 0,
    guide: { signInNeeded: false, reportsWaiting: 0 },
    tuners: TUNERS,
    recordings: [],
    plan: { placements: [], conflicts: [], groups: [] },
    clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
  };
  await using server = createWebServer({
    routes: [
      {
        method: "GET",
        path: "/v1/snapshot",
        handle: async () => ({ status: 200, headers: {}, body: JSON.stringify(snapshot) }),
      },
    ],
    refuse: () => ({ status: 404, headers: {}, body: "" }),
    bodyBytesMax: 1024,
    clock: systemClock(),
  });
  try {
    await server.listenOnSocket(path);
    const { out, code } = await commandLine(["tuners", "--socket", path]);
    expect(code).toBe(0);
    expect(
      out.split("\n").map((line) => line.split(/\s{2,}/).filter((cell) => !/^\d\d:\d\d/.test(cell))),
    ).toEqual([
      [
        "TUNER",
        "KIND",
        "STATE",
        "MULTIPLEX",
        "SERVICES",
        "USED BY",
        "UNTIL",
        "SIGNAL",
        "RECEPTION",
        "TROUBLE",
      ],
      [
        "tvh",
        "tvheadend",
        "receiving",
        "4112/545",
        "1056 1057",
        "7, 8",
        "locked, strength 66 % -45.6 dBm, quality 14.3 dB, 3 blocks lost, 2 users, at Frontend #1",
        "2.3 s, 120 ppm, 25 % fail, weak 1",
      ],
      ["tvh#2", "tvheadend", "free", expect.stringMatching(/^TUNER_NO_LOCK at \d\d:\d\d/)],
      [
        "tvh#3",
        "tvheadend",
        "lent",
        "4112/546",
        "1060",
        "a probe",
        expect.stringMatching(/^quarantine since .*: TUNER_UNREACHABLE$/),
      ],
    ]);
    const { out: json } = await commandLine(["tuners", "--socket", path, "--json"]);
    expect(JSON.parse(json)).toEqual({ tuners: TUNERS });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("recorderd tuners channels shows which tuners receive each channel, or why none does", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-cli-tuners-"));
  const path = join(folder, "control.sock");
  const one = {
    channelId: "1",
    name: "One",
    number: 2,
    service: { onid: 1, tsid: 2, sid: 3 },
    by: "name",
    tuners: ["a", "b"],
  };
  const likely = { triplet: { onid: 1, tsid: 2, sid: 4 }, name: "Zwei" };
  const why = "no tuner receives 1/2/9";
  const two = { channelId: "2", name: "Two\u001b[2J", tuners: [], why, candidates: [likely] };
  const assigned: unknown[] = [];
  await using server = createWebServer({
    routes: [
      {
        method: "GET",
        path: "/v1/tuners/channels",
        handle: async () => ({ status: 200, headers: {}, body: JSON.stringify([one, two]) }),
      },
      {
        method: "PUT",
        path: "/v1/tuners/channels/:id",
        handle: async ({ params, body }) => {
          assigned.push([params["id"], JSON.parse(body.toString("utf8"))]);
          return { status: 200, headers: {}, body: JSON.stringify([{ ...two, ...one, channelId: "2" }]) };
        },
      },
    ],
    refuse: () => ({ status: 404, headers: {}, body: "" }),
    bodyBytesMax: 1024,
    clock: systemClock(),
  });
  const ask = (...more: readonly string[]) => commandLine(["tuners", "channels", "--socket", path, ...more]);
  try {
    await server.listenOnSocket(path);
    const { out, err } = await ask();
    expect(out.split("\n").map((line) => line.split(/\s{2,}/))).toEqual([
      ["ID", "NUMBER", "CHANNEL", "SERVICE", "FOUND BY", "TUNERS"],
      ["1", "2", "One", "1/2/3", "name", "a, b"],
      ["2", "Two [2J", "NOT RECEIVED", `${why}; may be Zwei (1/2/4)`],
    ]);
    expect(err).toContain("no tuner receives 1 of the 2 channels");
    const assign = (service: string) => commandLine(["tuners", "assign", "2", service, "--socket", path]);
    expect((await assign("1/2/4")).out).toBe("One is 1/2/3, received by a, b");
    await assign("auto");
    expect(assigned).toEqual([
      ["2", { service: likely.triplet }],
      ["2", { service: null }],
    ]);
    expect(JSON.parse((await ask("--missing", "--json")).out)).toMatchObject({
      channels: [{ channelId: "2" }],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
