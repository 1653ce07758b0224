import { Command } from "commander";
import { withDeadline } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { News } from "../../model/news.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { readerOf } from "../../recorder/config/reader.ts";
import { readSecretsFile, secretsPlace, writeSecretsFile } from "../../recorder/config/secrets.ts";
import { NOTIFY_LIMITS } from "../../recorder/subsystems/notify/limits.ts";
import { openTargets } from "../../recorder/subsystems/notify/registry.ts";
import type { Notification, Target } from "../../recorder/subsystems/notify/target.ts";
import { worded } from "../../recorder/subsystems/notify/wording.ts";
import { configOption } from "../defaults.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { secretsOption, secretsToChange } from "../secrets-file.ts";

/** A target refused the message. */
const EXIT_NOT_TAKEN = 1;

interface Options {
  readonly config: string;
  readonly json?: boolean;
}

interface LoginOptions extends Options {
  readonly secrets?: string;
}

/** `recorderd notify …`: tests notifications and manages their passwords. */
export function notifyCommand(io: CliIo): Command {
  return new Command("notify")
    .description("test the notification targets of the configuration (`notify`), and store their passwords")
    .addCommand(testCommand(io))
    .addCommand(loginCommand(io));
}

function testCommand(io: CliIo): Command {
  return new Command("test")
    .description("send a test to each target, or to one; needs no daemon (exit 1 if a target refuses it)")
    .argument("[id]", "id of the target in the configuration")
    .addOption(configOption("configuration of the recorder"))
    .option("--json", "print the outcome as one JSON document")
    .action(async (id: string | undefined, { config: file, json }: Options) => {
      const config = await loadConfig(file);
      const { notify, data } = config;
      const asked = id === undefined ? notify : notify.filter((target) => target.id === id);
      if (asked.length === 0) throw usageError(io, noTarget(id, notify));
      const secrets = (await readSecretsFile(secretsPlace(data.folder))) ?? NO_ACCOUNT;
      const targets = openTargets(asked, { credentials: (each) => secrets.notify?.[each], version: VERSION });
      const at = io.clock.now();
      const news: News = { id: `test-${at}`, kind: "test", at, facts: { is: "test" } };
      const notification = worded(news, { reader: await readerOf(config)(), now: at });
      const outcomes = await Promise.all(targets.map((target) => tried(target, notification, io)));
      if (outcomes.some(({ failure }) => failure !== undefined)) io.exitCode(EXIT_NOT_TAKEN);
      if (json === true) return io.print(plainJson({ outcomes }));
      for (const { target, failure } of outcomes) {
        io.print(
          plainLine(
            failure === undefined ? `${target}: taken` : `${target}: ${failure.message} [${failure.code}]`,
          ),
        );
      }
    });
}

async function tried(target: Target, notification: Notification, { clock, signal }: CliIo) {
  const timeoutError = () =>
    new RecorderdError("NOTIFY_UNREACHABLE", `Target ${target.id}: no answer in time.`);
  await using _closed = target;
  try {
    await withDeadline(clock, { ms: NOTIFY_LIMITS.sendMs, signal, timeoutError }, (both) =>
      target.send(notification, both),
    );
    return { target: target.id };
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return { target: target.id, failure: { code: error.code, message: error.message } };
  }
}

function loginCommand(io: CliIo): Command {
  return new Command("login")
    .description("store a target's user and password, or its token if no user is given, in the secrets file")
    .argument("<id>", "id of the target in the configuration")
    .argument("[user]", "user on the target's server")
    .addOption(configOption("configuration of the recorder"))
    .addOption(secretsOption())
    .addHelpText(
      "after",
      "\nOn a terminal, the command asks for the password or token; otherwise it reads the first line of standard input.",
    )
    .action(async (id: string, user: string | undefined, { config, secrets }: LoginOptions) => {
      const loaded = await loadConfig(config);
      const { notify } = loaded;
      if (!notify.some((target) => target.id === id)) throw usageError(io, noTarget(id, notify));
      const file = await secretsToChange(io, loaded, secrets);
      using questions = io.questions();
      const what = user === undefined ? "Token" : "Password";
      const password = await questions.ask(`${what} for ${id}: `, { hidden: true });
      if (password === undefined || password === "")
        throw usageError(io, `no ${what.toLowerCase()} was given`);
      const before = (await readSecretsFile(file)) ?? NO_ACCOUNT;
      const kept = { ...(user === undefined ? {} : { user }), password };
      await writeSecretsFile(file, { ...before, notify: { ...before.notify, [id]: kept } });
      io.print(`stored in ${file} for ${id}`);
    });
}

function noTarget(id: string | undefined, notify: readonly { readonly id: string }[]): string {
  if (notify.length === 0)
    return "the configuration has no `notify`: docs/notifications.md shows how to write it";
  return `the configuration has no target ${plainLine(id ?? "")}: ${notify.map((target) => target.id).join(", ")}`;
}
