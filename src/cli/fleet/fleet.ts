import { Command } from "commander";
import { formatDuration, formatInstant, SECOND } from "../../model/time.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { readSecretsFile, writeSecretsFile } from "../../recorder/config/secrets.ts";
import { openFleetDatabase } from "../../recorder/fleet/access.ts";
import { type FleetNode, type FleetOverview, fleetOverview } from "../../recorder/fleet/overview.ts";
import { configOption } from "../defaults.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { secretsOption, secretsToChange } from "../secrets-file.ts";

interface Flags {
  readonly config: string;
  readonly json: boolean;
  readonly secrets?: string;
}

/** A node that was not seen for so long is marked as silent. */
const SILENT_MS = 5 * SECOND;

/** `recorderd fleet`: who records, and who stands by. It asks the database, so it works on every node. */
export function fleetCommand(io: CliIo): Command {
  const fleet = new Command("fleet")
    .description("show the recorders that share a database: which one leads, and which ones stand by")
    .addOption(configOption("configuration of a recorder of the fleet"))
    .option("--json", "print the fleet as one JSON document", false)
    .action(async ({ config: file, json }: Flags) => {
      await using database = await openFleetDatabase(await loadConfig(file), {
        use: "state",
        clock: io.clock,
      });
      const overview = await fleetOverview(database);
      io.print(json ? plainJson(overview) : textOf(overview));
    });
  fleet
    .command("password")
    .description("store the password of the database, from a prompt or from a line of standard input")
    .addOption(configOption("configuration of the recorder"))
    .addOption(secretsOption())
    .option("--json", "print the result as one JSON document", false)
    .action(async (_flags: Flags, command: Command) => {
      const { config, secrets: chosen, json } = command.optsWithGlobals<Flags>();
      const password = await passwordFrom(io);
      const file = await secretsToChange(io, await loadConfig(config), chosen);
      const secrets = (await readSecretsFile(file)) ?? NO_ACCOUNT;
      await writeSecretsFile(file, { ...secrets, fleet: { password } });
      io.print(json ? plainJson({ file }) : `The password is in ${file}. Restart recorderd.`);
    });
  return fleet;
}

async function passwordFrom(io: CliIo): Promise<string> {
  const typed =
    io.askHidden === undefined
      ? ((await io.readStdin()).split(/\r?\n/)[0] ?? "")
      : await io.askHidden("Password for the database: ");
  if (typed !== "") return typed;
  throw usageError(io, "expected a password");
}

function textOf({ database, term, nodes }: FleetOverview): string {
  if (nodes.length === 0) return plainLine(`${database} has no fleet yet: start recorderd.`);
  return [plainLine(`${database}, term ${term}`), ...nodes.map(lineOf)].join("\n");
}

function lineOf({ name, version, role, since, seenMs, trouble }: FleetNode): string {
  const silent = seenMs < SILENT_MS ? [] : [`not seen for ${formatDuration(seenMs)}`];
  const facts = [`since ${formatInstant(since)}`, `version ${version}`, ...silent];
  const line = plainLine(`${role.padEnd(8)} ${name.padEnd(20)} ${facts.join(", ")}`);
  return trouble === undefined ? line : `${line}\n         ${plainLine(trouble)}`;
}
