import { Argument, Command, Option } from "commander";
import type { GuideServerAdmin, Household } from "../../guide-server/admin.ts";
import { RIGHTS } from "../../guide-server/data/tables.ts";
import { RecorderdError } from "../../model/errors.ts";
import { formatInstant } from "../../model/time.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { tableText } from "../table.ts";
import { type DataFlags, wholeText } from "./data-place.ts";
import { openStanding } from "./standing-server.ts";

interface Flags extends DataFlags {
  readonly json: boolean;
  readonly household?: string;
  readonly passwordFile?: string;
}

/** `recorderd guide-server users`: manages users and their roles in the data of a stopped server. */
export function usersCommand(io: CliIo): Command {
  const users = new Command("users").description("manage the users of a household; the server must not run");
  const leaf = (name: string, description: string) =>
    users
      .command(name)
      .description(description)
      .option("--json", "print the result as one JSON document", false);
  const withPassword = (command: Command) =>
    command.option(
      "--password-file <file>",
      "read the password from the first line of this file (default: ask, or read standard input)",
    );
  const rights = new Argument(
    "<rights>",
    "owner: may do everything; member: may book recordings; viewer: may only view",
  ).choices(RIGHTS);
  leaf("list", "list the users of all households").action((_options: unknown, command: Command) =>
    withServer(io, command, async (server, { json }) => {
      const households = await server.households();
      io.print(json ? plainJson({ households: households.map(listed) }) : textOf(households, io));
    }),
  );
  withPassword(leaf("add", "add a user to a household"))
    .argument("<name>", "name to sign in with: an e-mail address or a word")
    .addArgument(rights)
    .addOption(new Option("--household <email>", "the household's e-mail address, if the server has several"))
    .action((name: string, wanted: string, _options: unknown, command: Command) =>
      withServer(io, command, async (server, flags) => {
        const email = await householdOf(server, flags);
        const password = await passwordOf(io, name, flags);
        await server.addUser(email, { name, password, rights: wanted });
        done(io, flags, {
          name,
          rights: wanted,
          says: `${name} is in the household of ${email} as ${wanted}.`,
        });
      }),
    );
  leaf("remove", "remove a user and end the user's sessions")
    .argument("<name>", "name of the user, from `list`")
    .action((name: string, _options: unknown, command: Command) =>
      withServer(io, command, async (server, flags) => {
        await server.removeUser(name);
        done(io, flags, { name, says: `${name} is removed.` });
      }),
    );
  withPassword(
    leaf("password", "change a user's password and end all the user's sessions, also those of boxes"),
  )
    .argument("<name>", "name of the user, from `list`")
    .action((name: string, _options: unknown, command: Command) =>
      withServer(io, command, async (server, flags) => {
        await server.changeUser(name, { password: await passwordOf(io, name, flags) });
        done(io, flags, { name, says: `${name} has a new password, and must sign in again.` });
      }),
    );
  leaf("rights", "change a user's rights and end all the user's sessions, also those of boxes")
    .argument("<name>", "name of the user, from `list`")
    .addArgument(rights)
    .action((name: string, wanted: string, _options: unknown, command: Command) =>
      withServer(io, command, async (server, flags) => {
        await server.changeUser(name, { rights: wanted });
        done(io, flags, { name, rights: wanted, says: `${name} is now ${wanted}, and must sign in again.` });
      }),
    );
  return users;
}

/** @throws RecorderdError as openStanding, and GUIDE_NOT_FOUND or GUIDE_NOT_ACCEPTABLE with the reason */
async function withServer(
  io: CliIo,
  command: Command,
  work: (server: GuideServerAdmin, flags: Flags) => Promise<void>,
): Promise<void> {
  const flags = command.optsWithGlobals<Flags>();
  await using server = await openStanding(flags, io);
  await work(server, flags);
}

async function householdOf(server: GuideServerAdmin, { household }: Flags): Promise<string> {
  const [only, ...others] = await server.households();
  if (household !== undefined) return household;
  if (only !== undefined && others.length === 0) return only.email;
  throw new RecorderdError(
    "GUIDE_NOT_ACCEPTABLE",
    only === undefined
      ? "There is no household yet: create one with recorderd guide-server add-account."
      : "The server has several households: choose one with --household EMAIL.",
  );
}

async function passwordOf(io: CliIo, name: string, { passwordFile: file }: Flags): Promise<string> {
  if (file === undefined && io.askHidden !== undefined)
    return io.askHidden(`Password for ${plainLine(name)}: `);
  const text = file === undefined ? await io.readStdin() : await wholeText(file);
  const [password = ""] = text.split(/\r?\n/);
  if (password !== "") return password;
  throw usageError(
    io,
    "no password was given: enter it when asked, send it on standard input, or name a file",
  );
}

function listed({ email, users }: Household) {
  return {
    email,
    users: users.map(({ createdAt, ...user }) => ({ ...user, created: formatInstant(createdAt) })),
  };
}

function textOf(households: readonly Household[], io: CliIo): string {
  const rows = households.flatMap(({ email, users }) =>
    users.map(({ name, rights, sessions }) => [name, rights, String(sessions), email]),
  );
  return tableText({ head: ["USER", "RIGHTS", "SESSIONS", "HOUSEHOLD"], rows }, io.columns);
}

function done(
  io: CliIo,
  { json }: Flags,
  { says, ...facts }: { readonly name: string; readonly rights?: string; readonly says: string },
): void {
  io.print(json ? plainJson(facts) : plainLine(says));
}
