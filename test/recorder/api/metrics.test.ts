import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/model/attempt.ts";
import type { Recording } from "../../../src/model/recording.ts";
import type { Snapshot } from "../../../src/model/snapshot.ts";
import { createMetrics } from "../../../src/recorder/api/metrics.ts";

const EMPTY: Snapshot = {
  at: 200_000,
  version: "1.2.3",
  startedAt: 100_000,
  guide: { signInNeeded: false, reportsWaiting: 0 },
  clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
  tuners: [],
  recordings: [],
  plan: { placements: [], conflicts: [], groups: [] },
};

async function lines(snapshot: Snapshot, metrics = createMetrics()): Promise<readonly string[]> {
  const { text } = await metrics.text({ snapshot, jobs: [], isReady: true });
  return text.split("\n");
}

const attempt: Attempt = {
  number: 1,
  tunerId: "one",
  startedAt: 150_000,
  flowingAt: 150_700,
  endedAt: 160_000,
};

function recording(more: Partial<Recording>): Recording {
  return { id: "1", attempts: [], withdrawn: false, ...more } as Recording;
}

describe("docs/dev/metrics.md", () => {
  it("describes every served metric, and no other", async () => {
    const served = await lines(EMPTY);
    const told = served.flatMap((line) => {
      const [, name = "", help = ""] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
      const type = served.find((other) => other.startsWith(`# TYPE ${name} `))?.split(" ")[3];
      return name === "" ? [] : [`| \`${name}\` | ${type} | ${help} |`];
    });
    const [text = ""] = (await readFile("docs/dev/metrics.md", "utf8")).split("## Guide server");
    expect(text.split("\n").filter((line) => line.startsWith("| `"))).toEqual(told);
  });
});

describe("metrics", () => {
  it("count each end once, however often they are read, and nothing from before a restart", async () => {
    const metrics = createMetrics();
    const evidence = { verdict: "good", continuityErrors: 3, transportErrors: 1, bytes: 1000 } as const;
    const done = {
      state: "completed",
      endedAt: 160_000,
      evidence: evidence as never,
      attempts: [attempt],
    } as const;
    const recordings = [
      recording(done),
      recording({
        ...done,
        id: "2",
        endedAt: 50_000,
        attempts: [{ ...attempt, flowingAt: 50_000, endedAt: 50_001 }],
      }),
      recording({ id: "3", state: "missed", endedAt: 170_000 }),
      recording({ id: "4", state: "planned" }),
    ];
    await lines({ ...EMPTY, recordings }, metrics);
    const text = await lines({ ...EMPTY, recordings }, metrics);
    expect(text).toEqual(
      expect.arrayContaining([
        'recorderd_recordings{state="completed"} 2',
        'recorderd_recordings{state="planned"} 1',
        'recorderd_recordings_ended_total{state="completed",verdict="good"} 1',
        'recorderd_recordings_ended_total{state="missed",verdict="none"} 1',
        "recorderd_recordings_missed_total 1",
        "recorderd_continuity_errors_total 3",
        "recorderd_transport_errors_total 1",
        "recorderd_recorded_bytes_total 1000",
        'recorderd_first_payload_seconds_bucket{le="0.5"} 0',
        'recorderd_first_payload_seconds_bucket{le="1"} 1',
        "recorderd_first_payload_seconds_count 1",
        'recorderd_attempts_failed_total{code="none"} 1',
      ]),
    );
  });

  it("show the age of waiting work, and omit unknown values", async () => {
    const [known, unknown] = [
      await lines({
        ...EMPTY,
        guide: { signInNeeded: false, reportsWaiting: 2, reportsSince: 190_000, lastGoodAt: 170_000 },
        space: {
          level: "enough",
          freeBytes: 5,
          totalBytes: 10,
          lowBytes: 1,
          stopBytes: 0,
          reservedBytes: 2,
          bytesPerSecond: 1,
          fills: { at: 260_000, by: "plan" },
        },
      }),
      await lines(EMPTY),
    ];
    expect(known).toEqual(
      expect.arrayContaining([
        "recorderd_reports_waiting 2",
        "recorderd_reports_oldest_seconds 10",
        "recorderd_sync_age_seconds 30",
        "recorderd_disk_free_bytes 5",
        "recorderd_disk_full_seconds 60",
      ]),
    );
    const values = unknown.filter((line) => /^recorderd_(sync_age|disk_)/.test(line));
    expect(values).toEqual([]);
  });

  it("show each tuner: its state, its user, and its signal if it reports one", async () => {
    const service = { onid: 1, tsid: 2, sid: 3 };
    const lease = { id: "view 1", use: "view", tunerId: "one", service, since: 0, until: 1 } as const;
    const tuners = [
      {
        id: "one",
        kind: "mock",
        state: "lent",
        services: [],
        recordings: [],
        leases: [lease, lease],
        health: [],
        reception: { at: 1, isLocked: true, snrDb: 31.5 },
      },
      { id: "two", kind: "mock", state: "free", services: [], recordings: [], leases: [], health: [] },
    ] as const;
    const metrics = createMetrics();
    const text = await lines({ ...EMPTY, tuners }, metrics);
    expect(text).toEqual(
      expect.arrayContaining([
        'recorderd_tuner_state{tuner="one",state="lent"} 1',
        'recorderd_tuner_state{tuner="one",state="free"} 0',
        'recorderd_tuner_leases{tuner="one",use="view"} 2',
        'recorderd_tuner_locked{tuner="one"} 1',
        'recorderd_tuner_snr_db{tuner="one"} 31.5',
      ]),
    );
    expect(text.filter((line) => /^recorderd_tuner_(locked|snr_db)\{tuner="two"/.test(line))).toEqual([]);
    expect((await lines(EMPTY, metrics)).filter((line) => line.startsWith("recorderd_tuner_"))).toEqual([]);
  });
});

it("metrics name the nodes of a fleet: which are away, and which are drained", async () => {
  const nodes = [
    { name: "attic", version: "1", state: "leader", isDrained: false },
    { name: "barn", version: "1", state: "away", isDrained: true },
  ] as const;
  const metrics = createMetrics();
  const said = await lines({ ...EMPTY, nodes }, metrics);
  expect(said.filter((line) => line.startsWith("recorderd_fleet"))).toEqual([
    'recorderd_fleet_node_up{node="attic"} 1',
    'recorderd_fleet_node_up{node="barn"} 0',
    'recorderd_fleet_node_drained{node="attic"} 0',
    'recorderd_fleet_node_drained{node="barn"} 1',
  ]);
  expect((await lines(EMPTY, metrics)).filter((line) => line.startsWith("recorderd_fleet"))).toEqual([]);
});
