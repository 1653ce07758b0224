import { resolve } from "node:path";
import { Command, Option } from "commander";
import { systemLocale } from "../../kit/machine/machine.ts";
import { DEFAULT_CONFIG } from "../../recorder/config/load.ts";
import { DEFAULT_DATA, SetupDraft } from "../../recorder/setup/draft.ts";
import { languageOf } from "../../recorder/setup/language-step.ts";
import { DEFAULT_RECORDINGS, secondsOf } from "../../recorder/setup/recordings-step.ts";
import { isUnconfigured } from "../../recorder/setup/write-step.ts";
import { LANGUAGES, languageFor } from "../../words/language.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { type Asker, Interview, yesOrNo } from "./interview.ts";
import { askFleet, type FleetOptions, isDatabase, join } from "./setup-fleet.ts";
import { askGuideService, type GuideOptions } from "./setup-guide.ts";
import { askTuners } from "./setup-tuners.ts";
import { setupInBrowser, webPlaceOf } from "./setup-web.ts";

interface SetupOptions extends GuideOptions, FleetOptions {
  readonly config: string;
  readonly web?: string | true;
  readonly endCaptures: boolean;
  readonly tuner?: readonly string[];
  readonly discover: boolean;
  readonly recordings?: string;
  readonly before?: string;
  readonly after?: string;
  readonly language?: string;
  readonly data: string;
  readonly socket?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Default address of dashboard and API. */
const DEFAULT_WEB = { host: "127.0.0.1", port: 8790 };

const ANSWERS = [
  "guide",
  "region",
  "email",
  "device",
  "tuner",
  "recordings",
  "before",
  "after",
  "language",
  "join",
  "node",
  "listen",
  "force",
];

/** `recorderd setup`: asks for a configuration, tests it, and writes it as a whole; nothing changes before that. */
export function setupCommand(io: CliIo): Command {
  return new Command("setup")
    .description("ask for the settings, test them, and write the configuration")
    .option("--config <file>", "the configuration to write", fromHere, DEFAULT_CONFIG)
    .addOption(
      new Option(
        "--web [host:port]",
        "ask in a browser, then run as the recorder; only without an existing configuration (default: 127.0.0.1:8790)",
      ).conflicts([...ANSWERS, "json"]),
    )
    .option(
      "--end-captures",
      "with --web: end captures together with the recorder, as for `recorderd run`",
      false,
    )
    .option("--guide <url>", "base address of the guide service")
    .option("--region <id>", "region of the account")
    .option(
      "--email <address>",
      "account to sign in with; the password is read from standard input, after an API key if the service needs one",
    )
    .option("--device <id>", "device of this recorder at the service: a number, new, or all")
    .option("--tuner <words>", "a tuner: KIND ADDRESS [CHANNEL LIST], or JSON; repeat for several", collect)
    .option("--no-discover", "do not search the network for tuners")
    .option("--recordings <folder>", "folder for recordings")
    .option("--before <seconds>", "padding before each event")
    .option("--after <seconds>", "padding after each event")
    .option("--language <code>", `language of notifications: ${Object.keys(LANGUAGES).join(", ")}`)
    .option(
      "--join <file>",
      "join a fleet (docs/dev/fleet.md): a file with an invitation from recorderd fleet invite, or the address of the database",
    )
    .option("--node <name>", "with --join: name of this recorder in the fleet (default: that of the machine)")
    .option(
      "--listen <address>",
      "with --join: address of this machine that the other nodes reach (default: the one on the way to the database)",
    )
    .option("--data <folder>", "folder for the daemon's own files", fromHere, DEFAULT_DATA)
    .option("--socket <file>", "control socket of the daemon", fromHere)
    .option("--force", "replace an existing configuration, which is kept as FILE.previous")
    .option("--json", "print the result as one JSON document")
    .addHelpText(
      "after",
      "\nThe command does not ask for what an option gives. Without a terminal, it reads answers from standard input, one per line, in the order of the questions;\n" +
        "after the last line, the values in brackets apply. So scripts need no terminal:\n" +
        "  recorderd setup --guide URL --region 1 --tuner 'hdhomerun http://192.0.2.5' --recordings /srv/recordings </dev/null\n" +
        "With --web, the command prints a link that signs one browser in, once.",
    )
    .action(({ web, ...options }: SetupOptions) =>
      web === undefined
        ? setup(io, options)
        : setupInBrowser(io, { ...options, web: webPlaceOf(io, web, DEFAULT_WEB) }),
    );
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

async function setup(io: CliIo, options: Omit<SetupOptions, "web" | "endCaptures">): Promise<void> {
  using questions = io.questions();
  const interview = new Interview(io, questions);
  const { config: file, data, socket } = options;
  if (!(await mayReplace(interview, options))) {
    io.note(`${file} is unchanged.`);
    return;
  }
  const draft = new SetupDraft({
    place: { file, data },
    web: DEFAULT_WEB,
    socket,
    needsUser: false,
    replaces: true,
    clock: io.clock,
  });
  const asker = { io, interview, draft };
  const { join: fleet } = options;
  const isInvited = fleet !== undefined && !isDatabase(fleet);
  if (isInvited) await join(asker, { ...options, join: fleet });
  else await askGuideService(asker, options);
  await askTuners(asker, { given: options.tuner ?? [], discover: options.discover });
  if (!isInvited) {
    await askRecordings(asker, options);
    await askLanguage(asker, options);
    if (fleet !== undefined) await askFleet(asker, { ...options, join: fleet });
  }
  for (const folder of await draft.write()) io.note(`created ${folder}`);
  if (options.json === true) io.print(plainJson({ file, config: draft.config() }));
  else io.print(`wrote ${file}`);
  tellNext(io, { file, isSignedIn: draft.isSignedIn });
}

async function mayReplace(
  interview: Interview,
  { config: file, force }: Pick<SetupOptions, "config" | "force">,
): Promise<boolean> {
  if (force === true || (await isUnconfigured(file))) return true;
  return interview.about({
    question: `${file} exists: replace it (the old one is kept as ${file}.previous)?`,
    option: "--force",
    fallback: "no",
    read: yesOrNo,
  });
}

async function askLanguage(
  { interview, draft }: Asker,
  { language: given }: Pick<SetupOptions, "language">,
): Promise<void> {
  const language = await interview.about({
    question: `Language of notifications (${Object.keys(LANGUAGES).join(", ")})`,
    option: "--language",
    given,
    fallback: languageFor([systemLocale()]).language,
    read: languageOf,
  });
  draft.useLanguage(language);
}

async function askRecordings(
  { io, interview, draft }: Asker,
  options: Pick<SetupOptions, "recordings" | "before" | "after">,
): Promise<void> {
  const { folder } = await interview.about({
    question: "Folder for recordings",
    option: "--recordings",
    given: options.recordings,
    fallback: DEFAULT_RECORDINGS,
    read: (text) => draft.folder(text, io.signal),
  });
  const before = await interview.about({
    question: "Seconds to record before each event",
    option: "--before",
    given: options.before,
    fallback: "60",
    read: secondsOf,
  });
  const after = await interview.about({
    question: "Seconds to record after each event",
    option: "--after",
    given: options.after,
    fallback: "180",
    read: secondsOf,
  });
  await draft.useRecordings({ folder, before: String(before), after: String(after) }, io.signal);
}

function tellNext(
  io: CliIo,
  { file, isSignedIn }: { readonly file: string; readonly isSignedIn: boolean },
): void {
  const steps = [
    ...(isSignedIn ? [] : [`recorderd login EMAIL --config ${file}`]),
    `recorderd doctor --config ${file}`,
    file === DEFAULT_CONFIG ? "systemctl enable --now recorderd" : `recorderd run --config ${file}`,
  ];
  io.note(`Next:\n${steps.map((step) => `  ${step}`).join("\n")}`);
}

/** An absolute path: the daemon may start in another folder. */
function fromHere(path: string): string {
  return resolve(path);
}
