import { Command } from "commander";
import { hostOf } from "../../kit/net/host-of.ts";
import { isLocal } from "../../kit/net/loopback.ts";
import { parseDatabaseAddress } from "../../kit/postgres/address.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { readConfig } from "../../recorder/config/load.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { readSecretsFile, secretsPlace } from "../../recorder/config/secrets.ts";
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
      const node = await readConfig(file);
      const secrets = (await readSecretsFile(secretsPlace(node.config.data.folder))) ?? NO_ACCOUNT;
      const invitation = invitationFrom(node, secrets);
      io.print(json ? plainJson({ invitation }) : invitation);
      io.note(
        "This holds the passwords of the fleet: keep it from others, and delete it when the machine has joined.",
      );
      for (const key of unreachedKeys(node.config))
        io.note(`No other machine reaches the address in ${key}: change it, then invite again.`);
    });
}

/** Keys with an address that leads to this machine from itself alone. */
function unreachedKeys({ fleet, guide }: Config): readonly string[] {
  const servers = fleet === undefined ? [] : parseDatabaseAddress(fleet.database).hosts;
  return [
    ...(servers.some(({ host }) => isLocal(host)) ? ["fleet.database"] : []),
    ...(isLocal(hostOf(guide.url)) ? ["guide.url"] : []),
  ];
}
