import { Command } from "commander";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { readSecretsFile, writeSecretsFile } from "../../recorder/config/secrets.ts";
import { configOption } from "../defaults.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";
import { secretsOption, secretsToChange } from "../secrets-file.ts";

interface Options {
  readonly config: string;
  readonly secrets?: string;
}

/** `recorderd tuners login ID USER`: stores the password of a tuner's server for the daemon, which may be running. */
export function tunersLoginCommand(io: CliIo): Command {
  return new Command("login")
    .description("store the user and the password for the server of a tuner in the secrets file")
    .argument("<tuner>", "id of the tuner in the configuration")
    .argument("<user>", "user on the tuner's server")
    .addOption(configOption("configuration of the daemon"))
    .addOption(secretsOption())
    .addHelpText(
      "after",
      "\nOn a terminal, the command asks for the password; otherwise it reads the first line of standard input.",
    )
    .action(async (tuner: string, user: string, { config: file, secrets: chosen }: Options) => {
      const config = await loadConfig(file);
      const { tuners } = config;
      if (!tuners.some(({ id }) => id === tuner)) {
        throw usageError(
          io,
          `the configuration has no tuner ${plainLine(tuner)}: ${tuners.map(({ id }) => id).join(", ")}`,
        );
      }
      const secrets = await secretsToChange(io, config, chosen);
      const password = await passwordFrom(io, tuner);
      const before = (await readSecretsFile(secrets)) ?? NO_ACCOUNT;
      const kept = { ...before.tuners, [tuner]: { user, password } };
      await writeSecretsFile(secrets, { ...before, tuners: kept });
      io.print(`stored in ${secrets} for tuner ${tuner}`);
    });
}

async function passwordFrom(io: CliIo, tuner: string): Promise<string> {
  const typed =
    io.askHidden === undefined
      ? ((await io.readStdin()).split(/\r?\n/)[0] ?? "")
      : await io.askHidden(`Password for tuner ${tuner}: `);
  if (typed !== "") return typed;
  throw usageError(io, "no password was given: enter it when asked, or send it on standard input");
}
