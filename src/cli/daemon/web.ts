import { Command } from "commander";
import { hashPassword, newToken, tokenHash } from "../../kit/http/password.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import {
  readSecretsFile,
  type Secrets,
  secretsPlace,
  withUser,
  writeSecretsFile,
} from "../../recorder/config/secrets.ts";
import { configOption } from "../defaults.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { secretsOption, secretsToChange } from "../secrets-file.ts";

type Web = NonNullable<Secrets["web"]>;

const LENGTH_MIN = 8;

/** `recorderd web`: manages access over HTTP. A running daemon applies changes at once. */
export function webCommand(io: CliIo): Command {
  const web = new Command("web").description("manage access to the dashboard and the API over HTTP");
  web
    .command("open")
    .description("print a link that signs one browser in without a password; it works once, for 15 minutes")
    .addOption(configOption("configuration of the recorder, which must be running"))
    .option("--json", "print the result as one JSON document", false)
    .action(async ({ config, json }: Flags) => {
      const { control } = await loadConfig(config);
      const { link } = await askDaemon<{ readonly link: string }>(
        control.socket,
        { method: "POST", path: "/v1/links" },
        io,
      );
      io.print(json ? plainJson({ link }) : link);
    });
  web
    .command("password")
    .description("add a user or change a password; asks for it, or reads a line of standard input")
    .argument("<user>", "name of the user", nameFrom(io))
    .addOption(configOption("configuration of the recorder"))
    .addOption(secretsOption())
    .option("--json", "print the result as one JSON document", false)
    .action(async (user: string, flags: Flags) => {
      const passwordHash = await hashPassword(await passwordFrom(io, user));
      await change(io, flags, (web) => withUser(web, { name: user, passwordHash }));
      io.print(flags.json ? plainJson({ user }) : `${user} may sign in.`);
    });
  web
    .command("token")
    .description("create a token for a program, and print it once")
    .argument("<name>", "the purpose of the token", nameFrom(io))
    .addOption(configOption("configuration of the recorder"))
    .addOption(secretsOption())
    .option("--json", "print the result as one JSON document", false)
    .action(async (name: string, flags: Flags) => {
      const token = newToken();
      await change(io, flags, ({ tokens = [], ...rest }) => ({
        ...rest,
        tokens: [...tokens.filter((other) => other.name !== name), { name, sha256: tokenHash(token) }],
      }));
      io.print(flags.json ? plainJson({ name, token }) : token);
    });
  web
    .command("list")
    .description("list users and tokens")
    .addOption(configOption("configuration of the recorder"))
    .option("--json", "print the result as one JSON document", false)
    .action(async ({ config, json }: Flags) => {
      const { users = [], tokens = [] } = (await secretsOf(config)).web ?? {};
      if (json) {
        const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
        return io.print(plainJson({ users: names(users), tokens: names(tokens) }));
      }
      for (const { name } of users) io.print(`user   ${plainLine(name)}`);
      for (const { name } of tokens) io.print(`token  ${plainLine(name)}`);
    });
  web
    .command("remove")
    .description("remove a user or a token")
    .argument("<name>", "name from `recorderd web list`")
    .addOption(configOption("configuration of the recorder"))
    .addOption(secretsOption())
    .option("--json", "print the result as one JSON document", false)
    .action(async (gone: string, flags: Flags) => {
      const isKnown = await change(io, flags, ({ users = [], tokens = [] }) => ({
        users: users.filter(({ name }) => name !== gone),
        tokens: tokens.filter(({ name }) => name !== gone),
      }));
      if (isKnown) return io.print(flags.json ? plainJson({ gone }) : `${plainLine(gone)} is removed.`);
      io.note(`there is no user or token ${plainLine(gone)}: see recorderd web list`);
      io.exitCode(1);
    });
  return web;
}

interface Flags {
  readonly config: string;
  readonly json: boolean;
  /** The file to change; only commands that change something have it. */
  readonly secrets?: string;
}

async function secretsOf(config: string): Promise<Secrets> {
  const { data } = await loadConfig(config);
  return (await readSecretsFile(secretsPlace(data.folder))) ?? NO_ACCOUNT;
}

/** @returns whether the set of sign-ins changed */
async function change(
  io: CliIo,
  { config, secrets: chosen }: Flags,
  next: (web: Web) => Web,
): Promise<boolean> {
  const file = await secretsToChange(io, await loadConfig(config), chosen);
  const secrets = (await readSecretsFile(file)) ?? NO_ACCOUNT;
  const before = secrets.web ?? {};
  const web = next(before);
  await writeSecretsFile(file, { ...secrets, web });
  const count = ({ users = [], tokens = [] }: Web) => users.length + tokens.length;
  return count(web) !== count(before);
}

function nameFrom(io: CliIo): (text: string) => string {
  return (text) => {
    if (/^[\w.@-]{1,100}$/.test(text) && text !== "token") return text;
    throw usageError(io, "expected a name of letters, digits and . _ @ -, other than `token`");
  };
}

async function passwordFrom(io: CliIo, user: string): Promise<string> {
  const typed =
    io.askHidden === undefined
      ? ((await io.readStdin()).split(/\r?\n/)[0] ?? "")
      : await io.askHidden(`Password for ${user}: `);
  if (typed.length >= LENGTH_MIN) return typed;
  throw usageError(io, `expected a password of at least ${LENGTH_MIN} characters`);
}
