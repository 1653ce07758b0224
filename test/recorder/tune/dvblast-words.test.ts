import { describe, expect, it } from "vitest";
import type { Tuning } from "../../../src/recorder/tune/channel-lists/list.ts";
import { type Dish, dvblastTuning } from "../../../src/recorder/tune/dvblast-arguments.ts";
import { readDvblastLog } from "../../../src/recorder/tune/dvblast-log.ts";
import { loopbackGroups } from "../../../src/recorder/tune/loopback-group.ts";
import { TunerConfig } from "../../../src/recorder/tune/registry.ts";

const ANY_DISH: Dish = { satellites: [], lnb: "universal" };
const TWO_DISHES: Dish = {
  satellites: [{ orbit: 19.2, diseqc: 1 }, { orbit: -30, diseqc: "B", uncommitted: 3 }, { orbit: 13 }],
  lnb: "old-sky",
};

describe("the arguments of dvblast", () => {
  const cases: readonly (readonly [Tuning, Dish, string | undefined])[] = [
    [
      {
        system: "DVB-T",
        frequencyHz: 226_500_000,
        bandwidthHz: 7_000_000,
        modulation: "QAM64",
        fec: "3/4",
        fecLow: "1/2",
        transmissionMode: "8K",
        guardInterval: "1/16",
        hierarchy: "none",
        inversion: false,
      },
      ANY_DISH,
      "--delsys DVBT --frequency 226500000 --inversion 0 --bandwidth 7 --modulation qam_64 --fec-inner 34 --fec-lp 12 --transmission 8 --guard 16 --hierarchy 0",
    ],
    [
      {
        system: "DVB-T2",
        frequencyHz: 690_000_000,
        bandwidthHz: 8_000_000,
        transmissionMode: "32K",
        guardInterval: "19/256",
        streamId: 1,
      },
      ANY_DISH,
      "--delsys DVBT2 --frequency 690000000 --bandwidth 8 --dvb-plp-id 1",
    ],
    [
      { system: "DVB-T", frequencyHz: 474_000_000 },
      ANY_DISH,
      "--delsys DVBT --frequency 474000000 --bandwidth 8",
    ],
    [{ system: "DVB-T2", frequencyHz: 230_000_000, bandwidthHz: 1_712_000 }, ANY_DISH, undefined],
    [
      {
        system: "DVB-C",
        frequencyHz: 466_000_000,
        symbolRate: 6_900_000,
        modulation: "QAM256",
        inversion: true,
      },
      ANY_DISH,
      "--delsys DVBC_ANNEX_A --frequency 466000000 --inversion 1 --symbol-rate 6900000 --modulation qam_256",
    ],
    [
      {
        system: "DVB-S2",
        frequencyHz: 11_493_750_000,
        polarization: "H",
        symbolRate: 22_000_000,
        modulation: "8PSK",
        fec: "9/10",
        rollOff: 35,
        pilot: true,
        orbit: 192,
        streamId: 4,
      },
      TWO_DISHES,
      "--delsys DVBS2 --frequency 11493750 --voltage 18 --symbol-rate 22000000 --fec-inner 910 --lnb-type old-sky --diseqc 1 --modulation psk_8 --rolloff 35 --pilot 1 --multistream-id 4",
    ],
    [
      {
        system: "DVB-S",
        frequencyHz: 12_551_500_000,
        polarization: "V",
        symbolRate: 22_000_000,
        modulation: "QPSK",
        orbit: -300,
      },
      TWO_DISHES,
      "--delsys DVBS --frequency 12551500 --voltage 13 --symbol-rate 22000000 --lnb-type old-sky --diseqc B --uncommitted 3",
    ],
    [{ system: "DVB-S", frequencyHz: 12_551_500_000, orbit: 235 }, TWO_DISHES, undefined],
    [
      { system: "DVB-S", frequencyHz: 12_551_500_000, polarization: "L", orbit: 235 },
      ANY_DISH,
      "--delsys DVBS --frequency 12551500 --voltage 18 --lnb-type universal",
    ],
    [
      { system: "ATSC", frequencyHz: 569_000_000, modulation: "VSB8" },
      ANY_DISH,
      "--delsys ATSC --frequency 569000000 --modulation vsb_8",
    ],
    [
      { system: "ATSC", frequencyHz: 111_000_000, modulation: "QAM256" },
      ANY_DISH,
      "--delsys DVBC_ANNEX_B --frequency 111000000 --modulation qam_256",
    ],
    [
      { system: "ISDB-T", frequencyHz: 473_142_857 },
      ANY_DISH,
      "--delsys ISDBT --frequency 473142857 --bandwidth 6",
    ],
    [{ system: "DTMB", frequencyHz: 666_000_000 }, ANY_DISH, undefined],
  ];
  it.each(cases)("for %j are these", (tuning, dish, told) => {
    expect(dvblastTuning(tuning, dish)?.join(" ")).toBe(told);
  });
});

describe("the output of dvblast", () => {
  const TABLES = `info: frontend has acquired lock
debug: new PAT tsid=545 version=0
debug:   * NIT pid=16
debug:   * program number=1056 pid=256
debug:   * program number=1057 pid=272
debug: end PAT
debug: new SDT actual tsid=545 version=0 onid=4112
debug:   * service sid=1056 eit_pf running=4
debug: end SDT
`;

  it("contains its lock and the tables of the multiplex", () => {
    expect(readDvblastLog(TABLES)).toEqual({
      locked: true,
      pat: { tsid: 545, sids: new Set([1056, 1057]) },
      sdt: { onid: 4112, tsid: 545 },
      reloads: 0,
    });
  });

  it("counts with its latest lines, and a PAT counts only once it is complete", () => {
    const later = "debug: new PAT tsid=546 version=1\ndebug:   * program number=1 pid=256\n";
    expect(readDvblastLog(`${TABLES}${later}`).pat?.tsid).toBe(545);
    expect(readDvblastLog(`${TABLES}${later}debug: end PAT\n`).pat).toEqual({
      tsid: 546,
      sids: new Set([1]),
    });
    expect(readDvblastLog(`${TABLES}warning: frontend has lost lock\n`).locked).toBe(false);
    const reload = "info: Configuration reload was requested.\n";
    expect(readDvblastLog(`${reload}${TABLES}${reload}`).reloads).toBe(2);
    expect(readDvblastLog("")).toEqual({ reloads: 0 });
  });

  const opening = "error: opening device /dev/dvb/adapter0/frontend0 failed";
  it.each([
    [`${opening} (Device or resource busy)`, "TUNER_IN_USE"],
    [`${opening} (Permission denied)`, "TUNER_FORBIDDEN"],
    [`${opening} (Operation not permitted)`, "TUNER_FORBIDDEN"],
    [`${opening} (No such file or directory)`, "TUNER_UNREACHABLE"],
    [`${opening} (No such device)`, "TUNER_UNREACHABLE"],
    [`${opening} (Input/output error)`, "TUNER_UNREACHABLE"],
    ["error: couldn't read from DVR device (No such device)", "TUNER_UNREACHABLE"],
    ["error: setting frontend failed (Invalid argument)", "TUNER_SERVICE_UNKNOWN"],
    ["error: couldn't bind (Address already in use)", "TUNER_IN_USE"],
    ["recorderd-tuner: 6: dvblast: not found", "TUNER_UNREACHABLE"],
  ])("after a failure with %s gives %s", (line, code) => {
    expect(readDvblastLog(`warning: restarting\n${line}\n`).failure?.code).toBe(code);
  });
});

describe("multicast groups on loopback", () => {
  it("differ for each service, tuner and frontend", () => {
    const groups = [0, 1].flatMap((octet) => [20_000, 20_001].map((port) => loopbackGroups({ octet, port })));
    const addresses = groups.flatMap((each) => [1, 256, 0xffff].map((sid) => each.address(sid)));
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(groups[0]?.url(1056)).toBe("udp://239.4.32.0:20000?localaddr=127.0.0.1");
  });
});

describe("a dvb tuner's configuration", () => {
  const base = { kind: "dvb", id: "t", channelList: "/etc/channels.conf" };
  it.each([
    [{ ...base, adapter: 256 }, "adapter"],
    [{ ...base, channelList: "channels.conf" }, "channelList"],
    [{ ...base, stream: "http://192.0.2.1/x" }, "stream"],
    [{ ...base, stream: "udp://239.1.2.3" }, "stream"],
    [{ ...base, systems: [] }, "systems"],
    [{ ...base, satellites: [{ orbit: 19.2, diseqc: 5 }] }, "satellites.0.diseqc"],
    [{ ...base, lnb: "c-band" }, "lnb"],
  ])("is refused at the place of the mistake: %j", (config, place) => {
    const issues = TunerConfig.safeParse(config).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join("."))).toEqual([place]);
  });
});
