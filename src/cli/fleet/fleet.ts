import { Command } from "commander";
import { FLEET_SECRET_LENGTH } from "../../recorder/config/fleet.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { readSecretsFile, writeSecretsFile } from "../../recorder/config/secrets.ts";
import { openFleetDatabase } from "../../recorder/fleet/access.ts";
import { fleetOverview } from "../../recorder/fleet/overview.ts";
import { configOption } from "../defaults.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { secretsOption, secretsToChange } from "../secrets-file.ts";
import { drainCommand, forgetCommand, resumeCommand } from "./drain.ts";
import { inviteCommand } from "./invite.ts";
import { overviewText } from "./overview-text.ts";

interface Flags {
  readonly config: string;
  readonly json: boolean;
  readonly secrets?: string;
}

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
      io.print(
        json ? plainJson(overview) : overviewText(overview, { now: io.clock.now(), columns: io.columns }),
      );
    });
  for (const command of [inviteCommand, drainCommand, resumeCommand, forgetCommand])
    fleet.addCommand(command(io));
  for (const kind of STORED) fleet.addCommand(storing(io, kind));
  return fleet;
}

/** The secrets of a node about its fleet. */
const STORED = [
  {
    key: "password",
    description: "store the password of the database, from a prompt or from a line of standard input",
    prompt: "Password for the database: ",
    stored: "The password",
    lengthMin: 1,
  },
  {
    key: "secret",
    description:
      "store the secret with which the nodes recognise each other, from a prompt or from a line of standard input; the same on all nodes, such as the output of openssl rand -base64 24",
    prompt: "Secret of the fleet: ",
    stored: "The secret",
    lengthMin: FLEET_SECRET_LENGTH,
  },
] as const;

function storing(
  io: CliIo,
  { key, description, prompt, stored, lengthMin }: (typeof STORED)[number],
): Command {
  return new Command(key)
    .description(description)
    .addOption(configOption("configuration of the recorder"))
    .addOption(secretsOption())
    .option("--json", "print the result as one JSON document", false)
    .action(async (_flags: Flags, command: Command) => {
      const { config, secrets: chosen, json } = command.optsWithGlobals<Flags>();
      const typed = await hiddenLine(io, prompt);
      if (typed.length < lengthMin)
        throw usageError(
          io,
          lengthMin === 1 ? "expected a password" : `expected at least ${lengthMin} characters`,
        );
      const file = await secretsToChange(io, await loadConfig(config), chosen);
      const secrets = (await readSecretsFile(file)) ?? NO_ACCOUNT;
      await writeSecretsFile(file, { ...secrets, fleet: { ...secrets.fleet, [key]: typed } });
      io.print(json ? plainJson({ file }) : `${stored} is in ${file}. Restart recorderd.`);
    });
}

async function hiddenLine(io: CliIo, prompt: string): Promise<string> {
  return io.askHidden === undefined
    ? ((await io.readStdin()).split(/\r?\n/)[0] ?? "")
    : await io.askHidden(prompt);
}
