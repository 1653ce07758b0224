import { chown, mkdir, readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Command } from "commander";
import { prepareFolder, readSecrets, secretsFile, writeSecrets } from "../config/secrets.ts";
import { checkConfig, writeConfig } from "../config/write.ts";
import { accountNumber, ownNumbers } from "../kit/accounts.ts";
import { RecorderdError } from "../model/errors.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { Interview, noAnswer, yesOrNo } from "./interview.ts";
import type { CliIo } from "./io.ts";
import { plainJson } from "./plain-text.ts";
import { askGuideService, type GuideAnswers, type GuideOptions } from "./setup-guide.ts";
import { askTuners } from "./setup-tuners.ts";

interface SetupOptions extends GuideOptions {
  readonly config: string;
  readonly tuner: readonly string[];
  readonly discover: boolean;
  readonly recordings?: string;
  readonly before?: string;
  readonly after?: string;
  readonly data: string;
  readonly socket?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** As whom the unit of the package runs. */
const SERVICE = "recorderd";
const DEFAULT_DATA = "/var/lib/recorderd";
const DEFAULT_RECORDINGS = "/srv/recordings";

/** `recorderd setup`: asks for what a configuration needs, tries it, and writes it as a whole; until then nothing is changed. */
export function setupCommand(io: CliIo): Command {
  return new Command("setup")
    .description("ask for what recording needs, try it, and write the configuration")
    .option("--config <FILE>", "the configuration to write", DEFAULT_CONFIG)
    .option("--guide <URL>", "base address of the guide service")
    .option("--region <ID>", "region of the account")
    .option(
      "--email <ADDRESS>",
      "sign in as; the password is read from standard input, after an API key if one is wanted",
    )
    .option("--device <ID>", "this recorder at the service: a number, new, or all")
    .option(
      "--tuner <WORDS>",
      "a tuner: KIND PLACE [CHANNEL LIST], or JSON; may be given several times",
      collect,
      [],
    )
    .option("--no-discover", "do not look for tuners on the network")
    .option("--recordings <FOLDER>", "where recordings go")
    .option("--before <SECONDS>", "padding before each event")
    .option("--after <SECONDS>", "padding after each event")
    .option("--data <FOLDER>", "where the daemon keeps its own files", DEFAULT_DATA)
    .option("--socket <FILE>", "control socket of the daemon")
    .option("--force", "replace a configuration that is there; it stays as FILE.previous")
    .option("--json", "print what was written as one JSON document")
    .addHelpText(
      "after",
      "\nWhat an option says is not asked for. Without a terminal answers are lines of standard input, in the order of the questions;\n" +
        "where it ends, the values in brackets count. So scripts need no terminal:\n" +
        "  recorderd setup --guide URL --region 1 --tuner 'hdhomerun http://192.0.2.5' --recordings /srv/recordings </dev/null",
    )
    .action((options: SetupOptions) => setup(io, options));
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

async function setup(io: CliIo, options: SetupOptions): Promise<void> {
  using questions = io.questions();
  const interview = new Interview(io, questions);
  const { config: file } = options;
  if (!(await mayReplace(interview, options))) {
    io.note(`${file} stays as it is.`);
    return;
  }
  const guide = await askGuideService(io, interview, options);
  const tuners = await askTuners(io, interview, { given: options.tuner, discover: options.discover });
  const recordings = await askRecordings(interview, options);
  const data = dataOf({ guide, tuners, recordings, options });
  checkConfig(data);
  await makeFolders(io, { recordings: recordings.folder, data: options.data });
  if (guide.secrets !== undefined) {
    // Passwords of tuners stay.
    const before = await readSecrets(options.data).catch(() => undefined);
    await writeSecrets(options.data, { ...before, ...guide.secrets });
  }
  await writeConfig(file, data);
  if (options.json === true) io.print(plainJson({ file, config: data }));
  else io.print(`${file} is written`);
  tellNext(io, { file, isSignedIn: guide.secrets !== undefined });
}

/** The example of the package is nobody's configuration. */
async function mayReplace(interview: Interview, { config: file, force }: SetupOptions): Promise<boolean> {
  const there = await readFile(file, "utf8").catch(() => undefined);
  const example = join(import.meta.dirname, "../../config/recorderd.example.yaml");
  if (there === undefined || force === true || there === (await readFile(example, "utf8").catch(() => "")))
    return true;
  return interview.about({
    question: `${file} is there: replace it (it stays as ${file}.previous)?`,
    option: "--force",
    fallback: "no",
    read: yesOrNo,
  });
}

async function askRecordings(interview: Interview, options: SetupOptions) {
  const folder = await interview.about({
    question: "Folder for recordings",
    option: "--recordings",
    given: options.recordings,
    fallback: DEFAULT_RECORDINGS,
    read: (text) => {
      if (!isAbsolute(text)) throw noAnswer("Expected an absolute path, such as /srv/recordings.");
      return text;
    },
  });
  const beforeSeconds = await interview.about({
    question: "Seconds to record before each event",
    option: "--before",
    given: options.before,
    fallback: "60",
    read: seconds,
  });
  const afterSeconds = await interview.about({
    question: "Seconds to record after each event",
    option: "--after",
    given: options.after,
    fallback: "180",
    read: seconds,
  });
  return { folder, padding: { beforeSeconds, afterSeconds } };
}

function seconds(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 86_400) return Number(text);
  throw noAnswer("Expected a number of seconds, at most 86400.");
}

interface Answers {
  readonly guide: GuideAnswers;
  readonly tuners: readonly object[];
  readonly recordings: Awaited<ReturnType<typeof askRecordings>>;
  readonly options: SetupOptions;
}

function dataOf({ guide: { url, regionId, deviceId }, tuners, recordings, options }: Answers): object {
  return {
    guide: { url, regionId, ...(deviceId === undefined ? {} : { deviceId }) },
    recordings,
    tuners,
    // Said as it is by default: who wants another address or port finds where to say so.
    web: { host: "127.0.0.1", port: 8790 },
    ...(options.data === DEFAULT_DATA ? {} : { data: { folder: options.data } }),
    ...(options.socket === undefined ? {} : { control: { socket: options.socket } }),
  };
}

/** What root makes for recordings is whose the data folder is. @throws RecorderdError WRITE_FAILED */
async function makeFolders(
  io: CliIo,
  folders: { readonly recordings: string; readonly data: string },
): Promise<void> {
  const isNew = (await stat(folders.data).catch(() => undefined)) === undefined;
  await prepareFolder(secretsFile(folders.data));
  try {
    if (isNew && ownNumbers().uid === 0) await giveToService(folders.data);
    if ((await mkdir(folders.recordings, { recursive: true, mode: 0o750 })) === undefined) return;
    const { uid, gid } = await stat(folders.data);
    if ((await stat(folders.recordings)).uid !== uid) await chown(folders.recordings, uid, gid);
    io.note(`${folders.recordings} is made`);
  } catch (error) {
    const message = `${folders.recordings} cannot be made: make it by hand, or choose another with --recordings.`;
    throw new RecorderdError("WRITE_FAILED", message, { folder: folders.recordings }, { cause: error });
  }
}

/** The user of the package, where it is installed. */
async function giveToService(folder: string): Promise<void> {
  const numbers = Promise.all([accountNumber("user", SERVICE), accountNumber("group", SERVICE)]);
  const [uid, gid] = await numbers.catch(() => [0, 0] as const);
  await chown(folder, uid, gid);
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
