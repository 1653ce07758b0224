import { stat } from "node:fs/promises";
import { createLog } from "../../kit/log.ts";
import { processIds } from "../../kit/process/accounts.ts";
import { runBounded } from "../../kit/process/bounded-process.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MINUTE } from "../../model/time.ts";
import { DEFAULT_CONFIG } from "../../recorder/config/load.ts";
import type { WebPlace } from "../../recorder/setup/draft.ts";
import { openSetup } from "../../recorder/setup/listener.ts";
import { isUnconfigured } from "../../recorder/setup/write-step.ts";
import { beRecorder } from "../daemon/run.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { becomeOwnerOfPlaces } from "../privileges.ts";

interface Order {
  readonly config: string;
  readonly data: string;
  readonly socket?: string;
  readonly web: WebPlace;
  /** Captures end together with the recorder. */
  readonly endCaptures: boolean;
}

/** `host:port`, with an IPv6 address in brackets. @throws CommanderError */
export function webPlaceOf(io: CliIo, given: string | true, byDefault: WebPlace): WebPlace {
  if (given === true) return byDefault;
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(given) ?? [];
  if (host === "" || Number(port) > 65_535)
    throw usageError(io, "--web needs an address such as 127.0.0.1:8790");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** `recorderd setup --web`: the page asks the questions; the recorder then starts with its result at the same address. */
export async function setupInBrowser(
  io: CliIo,
  { config: file, data, socket, web, endCaptures }: Order,
): Promise<void> {
  const { clock, signal } = io;
  if (!(await isUnconfigured(file))) {
    throw usageError(io, `${file} already exists: --web only creates a new configuration`);
  }
  {
    const parts = { clock, log: createLog("warn"), signal };
    await using listener = await openSetup({ place: { file, data }, socket, web }, parts);
    io.note(`Set up the recorder in a browser with this link, which works once: ${listener.link}`);
    await listener.finished();
  }
  io.note(`wrote ${file}`);
  if (file === DEFAULT_CONFIG && (await isServiceMachine())) return await startService(io);
  const keeping = endCaptures ? ["--end-captures"] : [];
  await becomeOwnerOfPlaces({ config: file }, ["run", "--config", file, ...keeping]);
  await beRecorder(io, { config: file, endCaptures });
}

/** Whether root runs this on a machine with the packaged service, which runs as a less privileged user. */
async function isServiceMachine(): Promise<boolean> {
  if (processIds().uid !== 0) return false;
  return (await stat("/run/systemd/system").catch(() => undefined)) !== undefined;
}

async function startService({ clock, signal, note }: CliIo): Promise<void> {
  const command = {
    command: "systemctl",
    args: ["enable", "--now", "recorderd"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    timeoutMs: 2 * MINUTE,
    outputBytesMax: 4096,
  };
  const { how, code, output } = await runBounded(command, { clock, signal });
  if (how !== "exited" || code !== 0) {
    const text = `The service does not start: systemctl enable --now recorderd says ${output.trim() || how}`;
    throw new RecorderdError("DAEMON_UNREACHABLE", text);
  }
  note("recorderd runs as a service: systemctl status recorderd");
}
