import { Command } from "commander";
import type { Snapshot } from "../model/snapshot.ts";
import { formatTimeOfDay } from "../model/time.ts";
import { askSnapshot } from "../web/ask.ts";
import type { CliIo } from "./io.ts";
import { plainJson } from "./plain-text.ts";
import { DEFAULT_SOCKET } from "./status.ts";
import { tableText } from "./table.ts";
import { tunersImportCommand } from "./tuners-import.ts";
import { tunersLoginCommand } from "./tuners-login.ts";
import { tunersScanCommand } from "./tuners-scan.ts";

/** `recorderd tuners`: what each tuner of the running daemon does; beside it, what prepares them. */
export function tunersCommand(io: CliIo): Command {
  return new Command("tuners")
    .description("what each tuner of the running daemon does, and channel lists for them")
    .addCommand(tunersListCommand(io), { isDefault: true })
    .addCommand(tunersImportCommand(io))
    .addCommand(tunersScanCommand(io))
    .addCommand(tunersLoginCommand(io));
}

function tunersListCommand(io: CliIo): Command {
  return new Command("list")
    .description("what each tuner of the running daemon does; meant where no command is named")
    .option("--socket <FILE>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print one JSON document", false)
    .action(async ({ socket, json }: { readonly socket: string; readonly json: boolean }) => {
      const snapshot = await askSnapshot(socket, io);
      io.print(json ? plainJson({ tuners: snapshot.tuners }) : tunersText(snapshot, io.columns));
    });
}

function tunersText({ tuners, recordings }: Snapshot, columns: number | undefined): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const nameOf = (id: string) => recordings.find((recording) => recording.id === id)?.name ?? id;
  const rows = tuners.map(
    ({ id, kind, state, multiplex = "", services, recordings: held, heldUntil, trouble }) => [
      id,
      kind,
      state,
      multiplex,
      services.map((service) => service.slice(service.lastIndexOf("/") + 1)).join(" "),
      held.map(nameOf).join(", "),
      heldUntil === undefined ? "" : formatTimeOfDay(heldUntil, zone),
      trouble === undefined ? "" : `${trouble.code} at ${formatTimeOfDay(trouble.at, zone)}`,
    ],
  );
  const head = ["TUNER", "KIND", "STATE", "MULTIPLEX", "SERVICES", "HELD BY", "UNTIL", "LATEST TROUBLE"];
  return tableText({ head, rows }, columns);
}
