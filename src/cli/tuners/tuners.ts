import { Command } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import type { Snapshot, TunerStatus } from "../../model/snapshot.ts";
import { formatTimeOfDay } from "../../model/time.ts";
import { askSnapshot } from "../../recorder/api/ask.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { tableText } from "../table.ts";
import { tunersAssignCommand } from "./tuners-assign.ts";
import { tunersChannelsCommand } from "./tuners-channels.ts";
import { tunersDiscoverCommand } from "./tuners-discover.ts";
import { tunersImportCommand } from "./tuners-import.ts";
import { tunersLoginCommand } from "./tuners-login.ts";
import { tunersProbeCommand } from "./tuners-probe.ts";
import { tunersScanCommand } from "./tuners-scan.ts";

/** `recorderd tuners`: the state of each tuner of the running daemon, and commands that set up tuners. */
export function tunersCommand(io: CliIo): Command {
  return new Command("tuners")
    .description("show, find and set up tuners and their channel lists")
    .addCommand(tunersListCommand(io), { isDefault: true })
    .addCommand(tunersChannelsCommand(io))
    .addCommand(tunersAssignCommand(io))
    .addCommand(tunersImportCommand(io))
    .addCommand(tunersScanCommand(io))
    .addCommand(tunersProbeCommand(io))
    .addCommand(tunersDiscoverCommand(io))
    .addCommand(tunersLoginCommand(io));
}

function tunersListCommand(io: CliIo): Command {
  return new Command("list")
    .description("show what each tuner of the running daemon is doing (the default command)")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print one JSON document", false)
    .action(async ({ socket, json }: { readonly socket: string; readonly json: boolean }) => {
      const snapshot = await askSnapshot(socket, io);
      io.print(json ? plainJson({ tuners: snapshot.tuners }) : tunersText(snapshot, io.columns));
    });
}

function tunersText({ tuners, recordings }: Snapshot, columns: number | undefined): string {
  const zone = systemZone();
  const nameOf = (id: string) => recordings.find((recording) => recording.id === id)?.name ?? id;
  const rows = tuners.map(
    ({ id, kind, state, multiplex = "", services, recordings: held, leases, heldUntil, ...rest }) => [
      id,
      kind,
      state,
      multiplex,
      services.map((service) => service.slice(service.lastIndexOf("/") + 1)).join(" "),
      [...held.map(nameOf), ...leases.map(({ use }) => `a ${use}`)].join(", "),
      heldUntil === undefined ? "" : formatTimeOfDay(heldUntil, zone),
      signalText(rest.reception),
      healthText(rest.health, multiplex),
      troubleText(rest, zone),
    ],
  );
  return tableText({ head: HEAD, rows }, columns);
}

const HEAD = [
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
];

/** The device's or server's report: lock, strength, quality, errors, other users. */
function signalText(reception: TunerStatus["reception"]): string {
  if (reception === undefined) return "";
  const { isLocked, errorFreePercent, uncorrectedBlocks, users, input } = reception;
  const strength = levelText(reception.strengthPercent, reception.strengthDbm, "dBm");
  const quality = levelText(reception.qualityPercent, reception.snrDb, "dB");
  return [
    isLocked === undefined ? "" : isLocked ? "locked" : "no lock",
    strength === "" ? "" : `strength ${strength}`,
    quality === "" ? "" : `quality ${quality}`,
    errorFreePercent === undefined ? "" : `${errorFreePercent} % free of errors`,
    uncorrectedBlocks === undefined ? "" : `${uncorrectedBlocks} blocks lost`,
    users === undefined || users < 2 ? "" : `${users} users`,
    input === undefined ? "" : `at ${input}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function levelText(percent: number | undefined, absolute: number | undefined, unit: string): string {
  const texts = [
    percent === undefined ? "" : `${percent} %`,
    absolute === undefined ? "" : `${absolute.toFixed(1)} ${unit}`,
  ];
  return texts.filter((text) => text !== "").join(" ");
}

/** Health of the current multiplex, else of the last one. */
function healthText(health: TunerStatus["health"], multiplex: string): string {
  const found = multiplex === "" ? health[0] : health.find((each) => each.multiplex === multiplex);
  if (found === undefined) return "";
  const { tries, failures, lockMs, errorsPerMillion, weakness } = found;
  return [
    lockMs === undefined ? "" : `${(lockMs / 1000).toFixed(1)} s`,
    errorsPerMillion === undefined ? "" : `${errorsPerMillion.toFixed(errorsPerMillion < 10 ? 1 : 0)} ppm`,
    failures === 0 ? "" : `${Math.round((100 * failures) / tries)} % fail`,
    weakness === 0 ? "" : `weak ${weakness}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function troubleText({ quarantine, trouble }: Partial<TunerStatus>, zone: string): string {
  if (quarantine !== undefined) {
    return `quarantine since ${formatTimeOfDay(quarantine.since, zone)}: ${quarantine.code}`;
  }
  return trouble === undefined ? "" : `${trouble.code} at ${formatTimeOfDay(trouble.at, zone)}`;
}
