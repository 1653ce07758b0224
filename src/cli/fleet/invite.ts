import { Command } from "commander";
import { isLocal } from "../../kit/net/loopback.ts";
import { parseDatabaseAddress } from "../../kit/postgres/address.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { readSecretsFile, secretsPlace } from "../../recorder/config/secrets.ts";
import { readYamlFile } from "../../recorder/config/yaml-file.ts";
import { invitationFrom } from "../../recorder/setup/invitation.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";

interface Flags {
  readonly config: string;
  readonly json: boolean;
}

/** `recorderd fleet invite`: the settings and secrets that another machine needs to join. */
export function inviteCommand(io: CliIo): Command {
  return new Command("invite")
    .description("print an invitation with which another machine joins: recorderd setup --join FILE")
    .addOption(configOption("configuration of a recorder of the fleet"))
    .option("--json", "print the invitation as one JSON document", false)
    .addHelpText(
      "after",
      "\nThe invitation holds the passwords of the fleet. Hand it over without others reading it, and delete it afterwards:\n" +
        "  recorderd fleet invite | ssh root@attic 'umask 077; cat > invitation'",
    )
    .action(async (_flags: Flags, command: Command) => {
      const { config: file, json } = command.optsWithGlobals<Flags>();
      const { data, fleet } = await loadConfig(file);
      const secrets = (await readSecretsFile(secretsPlace(data.folder))) ?? NO_ACCOUNT;
      const yaml = await readYamlFile(file);
      const invitation = invitationFrom((yaml?.data ?? {}) as Readonly<Record<string, unknown>>, secrets);
      io.print(json ? plainJson({ invitation }) : invitation);
      io.note(
        "This holds the passwords of the fleet: keep it from others, and delete it when the machine has joined.",
      );
      if (fleet !== undefined && parseDatabaseAddress(fleet.database).hosts.some(({ host }) => isLocal(host)))
        io.note("No other machine reaches the address of the database in it: change fleet.database first.");
    });
}
