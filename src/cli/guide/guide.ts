import { Command } from "commander";
import { EXIT_MEANINGS } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { loginCommand, logoutCommand } from "../setup/login.ts";
import { devicesCommand } from "./guide-devices.ts";
import { listCommands } from "./guide-lists.ts";
import { mappingCommand } from "./guide-mapping.ts";
import { showsCommand } from "./guide-shows.ts";
import { timersCommand } from "./guide-timers.ts";

/**
 * `recorderd guide …`: every request of the guide service, one per command.
 *
 * @throws RecorderdError GUIDE_… from the client, and those of the configuration and the secrets, from `parseAsync`
 */
export function guideCommand(io: CliIo): Command {
  const command = new Command("guide")
    .description("query and edit the account with the guide service; sign in and out")
    .addHelpText(
      "after",
      `\nExit codes:\n${EXIT_MEANINGS.map(([exit, meaning]) => `  ${exit}  ${meaning}`).join("\n")}`,
    );
  const commands = [
    ...listCommands(io),
    showsCommand(io),
    devicesCommand(io),
    timersCommand(io),
    mappingCommand(io),
    loginCommand(io),
    logoutCommand(io),
  ];
  for (const each of commands) command.addCommand(each);
  return command;
}
