import { Command } from "commander";
import { createHttpClient } from "../../kit/http/http.ts";
import { withDeadline } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Inspection } from "../../model/inspection.ts";
import type { NetworkSettings } from "../../model/network.ts";
import { tripletKey } from "../../model/service.ts";
import { SECOND } from "../../model/time.ts";
import { Inspector } from "../../recorder/evidence/inspector.ts";
import { inspectWhole } from "../../recorder/evidence/whole-file.ts";
import { listOfScan } from "../../recorder/tune/channel-lists/scan.ts";
import { writtenList } from "../../recorder/tune/channel-lists/written.ts";
import { completeTriplet } from "../../recorder/tune/match.ts";
import type { CliIo } from "../io.ts";
import { tableText } from "../table.ts";
import { NETWORKS_OPTION, networksIn } from "./networks.ts";

const EXIT_NO_SERVICES = 65;
/** EN 300 468 §5.1.4 and TR 101 211 §4.4: SDT and NIT repeat at least every 2 and 10 s. */
const SCAN_MS = 12 * SECOND;
const SCAN_BYTES_MAX = 256 * 1024 * 1024;

/** `recorderd tuners scan FILE|URL`: the services that a multiplex announces. */
export function tunersScanCommand(io: CliIo): Command {
  return new Command("scan")
    .description("list the services of a multiplex from its own tables")
    .argument("<source>", "a transport stream: a file, or an http address to read for 12 seconds")
    .option("--json", "print a channel list in the format of `recorderd tuners import`", false)
    .option(...NETWORKS_OPTION)
    .action(
      async (source: string, { json, config }: { readonly json: boolean; readonly config?: string }) => {
        const networks = await networksIn(config);
        const { services } = listOfScan(await inspected(source, { io, networks }));
        if (services.length === 0) io.exitCode(EXIT_NO_SERVICES);
        if (json) return io.print(writtenList(services).trimEnd());
        const rows = services.map(({ name, provider = "", lcn, ids, serviceType }) => [
          tripletKey(completeTriplet(ids) ?? { onid: 0, tsid: 0, sid: 0 }),
          String(lcn ?? ""),
          name,
          provider,
          serviceType === undefined ? "" : `type ${serviceType}`,
        ]);
        io.print(tableText({ head: ["TRIPLET", "LCN", "NAME", "PROVIDER", "KIND"], rows }, io.columns));
      },
    );
}

interface ScanParts {
  readonly io: CliIo;
  readonly networks: NetworkSettings;
}

function inspected(source: string, parts: ScanParts): Promise<Inspection> {
  if (/^https?:\/\//i.test(source)) return inspectedOnAir(source, parts);
  if (/^\w+:\/\//.test(source)) {
    const message =
      "only files and http addresses can be scanned: record a few seconds of any other source first";
    throw new RecorderdError("TUNER_UNREACHABLE", message);
  }
  return inspectedFile(source, parts);
}

async function inspectedFile(file: string, { io, networks }: ScanParts): Promise<Inspection> {
  return (await inspectWhole(file, { service: undefined, networks, givesUp: true }, io.signal)).inspection;
}

async function inspectedOnAir(address: string, { io, networks }: ScanParts): Promise<Inspection> {
  const { clock, signal } = io;
  const inspector = new Inspector(undefined, { networks });
  await using http = createHttpClient();
  const over = new Error("long enough");
  const until = { ms: SCAN_MS, signal, timeoutError: () => over };
  const answer = await withDeadline(clock, until, (both) =>
    http.stream(
      { url: new URL(address), bytesMax: SCAN_BYTES_MAX, onData: (chunk) => inspector.push(chunk) },
      both,
    ),
  ).catch((error: unknown) => {
    if (error !== over) throw error;
    return undefined;
  });
  const { host } = new URL(address);
  if (answer?.kind === "failed" && inspector.inspection().bytes === 0) {
    throw new RecorderdError("TUNER_UNREACHABLE", `${host} cannot be read (${answer.code})`);
  }
  if (answer?.kind === "answer" && answer.status !== 200) {
    throw new RecorderdError("TUNER_UNREACHABLE", `${host} answers ${answer.status} instead of a stream`);
  }
  inspector.settle();
  return inspector.inspection();
}
