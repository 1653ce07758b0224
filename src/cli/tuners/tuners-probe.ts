import { Command } from "commander";
import { silentLog } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { ProbeOrder, ProbeReport } from "../../model/probe.ts";
import type { Triplet } from "../../model/service.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { DEFAULT_CONFIG, loadConfig } from "../../recorder/config/load.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { probeAlone } from "../../recorder/subsystems/probe/probe.ts";
import { TUNE_LIMITS } from "../../recorder/tune/limits.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { tripletOf } from "./triplet.ts";

/** The service is not received, or badly. */
const EXIT_NOT_RECEIVED = 1;

interface Options {
  readonly tuner?: string;
  readonly socket?: string;
  readonly config: string;
  readonly json: boolean;
}

/** `recorderd tuners probe TRIPLET`: tests whether a service is received, how fast and how well. */
export function tunersProbeCommand(io: CliIo): Command {
  return new Command("probe")
    .description("tune to a service for a few seconds, and show what is received")
    .argument("<triplet>", "original network, transport stream and service id: 318/18432/3401", tripletOf)
    .option("--tuner <id>", "tuner to use (default: a free one)")
    .option("--socket <file>", "control socket of the daemon")
    .addOption(configOption("configuration; if no daemon runs with it, the command uses its tuners directly"))
    .option("--json", "print the result as one JSON document", false)
    .addHelpText(
      "after",
      "\nA running daemon provides a tuner that no recording needs, and takes it back when a recording does.",
    )
    .action(async (service: Triplet, { tuner, socket, config, json }: Options) => {
      const order: ProbeOrder = { service, ...(tuner === undefined ? {} : { tunerId: tuner }) };
      const report = await probe(order, { socket, config, io });
      io.print(json ? plainJson(report) : reportText(report));
      if (report.failure !== undefined || report.payloadMs === undefined) io.exitCode(EXIT_NOT_RECEIVED);
    });
}

async function probe(
  order: ProbeOrder,
  {
    socket,
    config: file,
    io,
  }: { readonly socket: string | undefined; readonly config: string; readonly io: CliIo },
): Promise<ProbeReport> {
  const config = await configIfThere(file);
  const path = socket ?? config?.control.socket ?? DEFAULT_SOCKET;
  const patienceMs = MODEL_LIMITS.tuneMs + MODEL_LIMITS.probeMs + TUNE_LIMITS.answerMs;
  const question = { method: "POST" as const, path: "/v1/tuners/probe", body: order, patienceMs };
  try {
    return await askDaemon<ProbeReport>(path, question, io);
  } catch (error) {
    const isAway = error instanceof RecorderdError && error.code === "DAEMON_UNREACHABLE";
    if (!isAway || config === undefined) throw error;
    io.note(`no daemon answers on ${plainLine(path)}: using its tuners directly`);
    return probeAlone(config, order, { clock: io.clock, log: silentLog, signal: io.signal });
  }
}

/** Without a configuration in its usual place, a daemon may still run. */
async function configIfThere(file: string): Promise<Config | undefined> {
  try {
    return await loadConfig(file);
  } catch (error) {
    if (!(error instanceof RecorderdError) || error.code !== "FILE_UNREADABLE") throw error;
    if (file !== DEFAULT_CONFIG) throw error;
    return undefined;
  }
}

function reportText(report: ProbeReport): string {
  const { tunerId, service, openMs, payloadMs, multiplex, tables, present, failure, streamMs, bytes } =
    report;
  const { packets, continuityErrors, transportErrors, scrambledPackets } = report;
  const rate = streamMs > 0 ? `, ${((8 * bytes) / streamMs / 1000).toFixed(2)} Mbit/s` : "";
  return [
    `service ${service} on tuner ${tunerId}`,
    `tuned after ${seconds(openMs)}${payloadMs === undefined ? ", no picture or sound arrived" : `, picture or sound after ${seconds(payloadMs)}`}`,
    ...(multiplex === undefined ? [] : [`the stream is of multiplex ${multiplex}`]),
    ...(tables === undefined ? [] : [`“${tables.name ?? "no name"}”, ${tables.provider ?? "no provider"}`]),
    ...(tables?.streams ?? []).map(
      ({ pid, codec, language }) => `  PID ${pid}: ${codec}${language === undefined ? "" : ` (${language})`}`,
    ),
    ...(present === undefined ? [] : [`now: ${present}`]),
    `${(streamMs / 1000).toFixed(1)} s, ${packets} packets${rate}`,
    `${continuityErrors} continuity errors, ${transportErrors} transport errors, ${scrambledPackets} packets scrambled`,
    ...(failure === undefined ? [] : [`not received: ${failure.text} (${failure.code})`]),
  ]
    .map(plainLine)
    .join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
