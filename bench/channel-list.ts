import { parseChannelList } from "../src/recorder/tune/channel-lists/read.ts";
import { writtenList } from "../src/recorder/tune/channel-lists/written.ts";
import { type Benchmark, elapsedMs, type Measures } from "./harness.ts";

const SERVICES = 20_000;

/** 20,000 services in each known format: a satellite receiver with a dish that turns has about as many. */
export const channelListBenchmark: Benchmark = {
  name: "channel-list",
  open: async () => {
    const imported = writtenList(parseChannelList(vdr())?.services ?? []);
    const lists = { lamedb: lamedb(), vdr: vdr(), m3u: m3u(), dvbv5: dvbv5(), zap: zap(), imported };
    return {
      cases: Object.entries(lists).map(([name, text]) => ({ name, run: () => parsed(text) })),
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

async function parsed(text: string): Promise<Measures> {
  let found = 0;
  const elapsed = await elapsedMs(() => {
    found = parseChannelList(text)?.services.length ?? 0;
  });
  if (found !== SERVICES) throw new Error(`${found} services were read, not ${SERVICES}`);
  return { time: { value: elapsed, unit: "ms" } };
}

function lines(line: (index: number) => string): string {
  return Array.from({ length: SERVICES }, (_, index) => line(index)).join("");
}

function hex(value: number): string {
  return value.toString(16).padStart(4, "0");
}

function lamedb(): string {
  const transponder = (index: number) => `00c00000:${hex(Math.floor(index / 10))}:0001`;
  const transponders = lines((index) =>
    index % 10 === 0 ? `${transponder(index)}\n\ts 11493750:22000000:0:2:192:2:0:1:2:0:2\n/\n` : "",
  );
  const services = lines(
    (index) =>
      `${hex(index)}:${transponder(index)}:25:0:0\nService ${index}\np:Provider,c:0013ef,c:0113f1,C:1830,f:40\n`,
  );
  return `eDVB services /4/\ntransponders\n${transponders}end\nservices\n${services}end\n`;
}

function vdr(): string {
  return lines(
    (index) =>
      `Service ${index},S${index};Provider:11493:HC23M5O35P0S1:S19.2E:22000:5101=27:5102=deu@3,5103=mis@3;5106=deu@106:5104;5105=deu:1830:${index + 1}:1:${Math.floor(index / 10)}:0\n`,
  );
}

function m3u(): string {
  const services = lines(
    (index) =>
      `#EXTINF:-1 tvg-id="1/${Math.floor(index / 10)}/${index}" tvg-chno="${index + 1}" group-title="All",Service ${index}\nhttp://192.0.2.1:8080/${index}.ts\n`,
  );
  return `#EXTM3U\n${services}`;
}

function dvbv5(): string {
  const tuning = [
    "FREQUENCY = 474000000",
    "MODULATION = QAM/64",
    "BANDWIDTH_HZ = 8000000",
    "INVERSION = AUTO",
    "CODE_RATE_HP = 3/4",
    "CODE_RATE_LP = NONE",
    "GUARD_INTERVAL = 1/16",
    "TRANSMISSION_MODE = 8K",
    "HIERARCHY = NONE",
    "DELIVERY_SYSTEM = DVBT",
  ];
  return lines((index) => {
    const ids = [
      `SERVICE_ID = ${index}`,
      "NETWORK_ID = 4112",
      `TRANSPORT_ID = ${Math.floor(index / 10)}`,
      "VIDEO_PID = 256",
      "AUDIO_PID = 257 258",
      "PID_06 = 259 260",
    ];
    return `[Service ${index}]\n\t${[...ids, ...tuning].join("\n\t")}\n\n`;
  });
}

function zap(): string {
  return lines(
    (index) =>
      `Service ${index}:226500000:INVERSION_AUTO:BANDWIDTH_7_MHZ:FEC_3_4:FEC_1_2:QAM_64:TRANSMISSION_MODE_8K:GUARD_INTERVAL_1_16:HIERARCHY_NONE:512:650:${index}\n`,
  );
}
