import { Command, InvalidArgumentError } from "commander";
import { seedDemo } from "../../guide-server/demo/seed-demo.ts";
import { SERVER_LIMITS } from "../../guide-server/limits.ts";
import { MISBEHAVIOUR_NAMES, type MisbehaviourName } from "../../guide-server/misbehave.ts";
import { MISBEHAVIOURS } from "../../guide-server/misbehaviours.ts";
import { GuideService } from "../../guide-server/server.ts";
import { trustedProxies } from "../../kit/http/client-address.ts";
import { createLog } from "../../kit/log.ts";
import { keepHeapSmall } from "../../kit/machine/heap.ts";
import { pulseMs, serviceManager } from "../../kit/machine/service-manager.ts";
import { type DatabaseAddress, parseDatabaseAddress } from "../../kit/postgres/address.ts";
import { RecorderdError } from "../../model/errors.ts";
import { OWN_GUIDE_PORT } from "../../model/setup.ts";
import { DAY, type DurationMs, formatInstant, HOUR } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { DASHBOARD } from "../../web/listener/static.ts";
import { clockTrust } from "../daemon/clock-trust.ts";
import { wholeNumber } from "../guide/guide-values.ts";
import type { CliIo } from "../io.ts";
import { askServer } from "./ask-server.ts";
import { type DataFlags, databaseOf, PASSWORD_PLACE, secretFrom, textOf } from "./data-place.ts";
import {
  channelTableOf,
  keepListings,
  type ListingOptions,
  withListingOptions,
} from "./guide-server-listings.ts";
import { exportCommand, importCommand, migrateCommand } from "./guide-server-transfer.ts";
import { usersCommand } from "./guide-server-users.ts";
import { folderOfPort, type OwnFolder } from "./own-folder.ts";
import { openStanding } from "./standing-server.ts";

/** Interval at which a demonstration guide adds further days. */
const DEMO_EVERY_MS = 6 * HOUR;

const HABITS = MISBEHAVIOUR_NAMES.map((name) => `  ${name.padEnd(23)} ${MISBEHAVIOURS[name].meaning}`).join(
  "\n",
);

interface ServeOptions extends ListingOptions, DataFlags {
  readonly misbehave?: readonly MisbehaviourName[];
  readonly port: number;
  readonly host: string;
  readonly demo?: boolean;
  readonly seed: number;
  readonly channels: number;
  readonly allowSignUp?: boolean;
  readonly apiKeyFile?: string;
  readonly publicUrl?: string;
  readonly trustedProxy?: readonly string[];
  readonly metricsTokenFile?: string;
  readonly silentAfter: number;
  readonly ask?: boolean;
}

/**
 * `recorderd guide-server`: runs a guide service until asked to end.
 *
 * @throws RecorderdError from `parseAsync`, as openGuideServer and listen
 */
export function guideServerCommand(io: CliIo): Command {
  const command = new Command("guide-server")
    .description("run a guide service with its own regions, channels, devices and timers")
    .option("--data <folder>", "folder for the server's data; created if it is missing")
    .option(
      "--database <address>",
      "use a PostgreSQL database instead, which several servers may share: postgres://USER@HOST:PORT/NAME",
      databaseAddress,
    )
    .option(
      "--database-password-file <file>",
      "read the database's password from this file (default: PGPASSFILE)",
    )
    .option(
      "--port <number>",
      "port to listen on; 0: the system chooses",
      wholeNumber(0, 65_535),
      OWN_GUIDE_PORT,
    )
    .option("--host <address>", "address to listen on; set-top boxes need one on the network", "127.0.0.1")
    .option("--demo", "publish a week of invented programmes, and add further days")
    .option(
      "--seed <number>",
      "seed of invented programmes and of misbehaviour; the same seed gives the same result",
      wholeNumber(0, 2 ** 31),
      1,
    )
    .option("--channels <number>", "number of invented channels", wholeNumber(1, 100), 8)
    .option("--allow-sign-up", "create an account when an unknown e-mail address signs in")
    .option("--api-key-file <file>", "refuse requests whose api_key is not the one in this file")
    .option("--public-url <url>", "address for clients, if the server is behind a proxy", webAddress)
    .option(
      "--trusted-proxy <address>",
      "address or network of a proxy whose X-Forwarded-For names the client; repeat for several (default: none)",
      proxies,
    )
    .option(
      "--metrics-token-file <file>",
      "serve metrics at /metrics to programs that send the token in this file; an empty file: none",
    )
    .option(
      "--silent-after <days>",
      "log a warning when a device has been silent for this many days",
      wholeNumber(1, 365),
      5,
    )
    .option("--ask", "check whether the server that runs with these options answers; does not start one")
    .option("--misbehave <list>", "misbehave in some of the ways below, separated by commas", habits)
    .addHelpText("after", `\nValues of --misbehave:\n${HABITS}`)
    .action((options: ServeOptions) => (options.ask === true ? askServer(options, io) : serve(options, io)))
    .addCommand(addAccountCommand(io))
    .addCommand(usersCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(importCommand(io))
    .addCommand(migrateCommand(io));
  return withListingOptions(command);
}

function addAccountCommand(io: CliIo): Command {
  return new Command("add-account")
    .description("create an account; the server must not run; the password is read from standard input")
    .argument("<email>", "e-mail address of the account")
    .option("--region <id>", "region of the account (default: the first)", wholeNumber(0, 2 ** 31))
    .action(async (email: string, _options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<DataFlags & { readonly region?: number }>();
      const { region } = flags;
      const password = (await io.readStdin()).replace(/\r?\n$/, "");
      await using server = await openStanding(flags, io);
      const made = await server.addAccount({
        email,
        password,
        ...(region === undefined ? {} : { regionId: region }),
      });
      io.print(`created account ${made.accountId} for ${email}`);
    });
}

async function serve(options: ServeOptions, io: CliIo): Promise<void> {
  const { clock, signal } = io;
  keepHeapSmall();
  const log = createLog("info");
  const table = await channelTableOf(options);
  const database = options.database === undefined ? undefined : await databaseOf(options);
  await using folder = await folderFor(options);
  const data = folder.path;
  const apiKey = options.apiKeyFile === undefined ? undefined : await secretFrom(options.apiKeyFile);
  const metrics = await metricsOf(options, io);
  await using service = new GuideService({
    dataFolder: data,
    ...withoutUndefined({ database, metrics }),
    clock,
    log,
    allowSignUp: options.allowSignUp === true,
    isClockTrusted: await clockTrust({ clock, log, signal }),
    pages: { folder: DASHBOARD, silentAfterMs: options.silentAfter * DAY },
    ...withoutUndefined({ apiKey, publicUrl: options.publicUrl }),
    isTrustedProxy: trustedProxies(options.trustedProxy ?? []),
    ...(options.misbehave === undefined
      ? {}
      : { misbehave: { kinds: options.misbehave, seed: options.seed } }),
  });
  const manager = serviceManager();
  signal.addEventListener("abort", () => manager.notify({ state: "stopping" }), { once: true });
  const { baseUrl } = await service.listen(options);
  const inside = await service.load();
  const publishDemo = () =>
    inside.seed(seedDemo({ seed: options.seed, now: clock.now(), channels: options.channels }));
  if (options.demo === true) await inside.once("demo", DEMO_EVERY_MS, publishDemo);
  service.open();
  // Programs wait for the address: the link must be there by then.
  const firstAccount = await service.offerFirstAccount();
  io.print(baseUrl);
  if (firstAccount !== undefined)
    io.note(`There is no account yet: create the first one with the link in ${firstAccount}`);
  log.info("the guide server is running", { baseUrl });
  manager.notify({ state: "ready", status: `serves ${baseUrl}` });
  const publishing = async () => {
    if (options.demo === true) await inside.once("demo", DEMO_EVERY_MS, publishDemo);
  };
  const once = (name: string, everyMs: DurationMs, work: () => Promise<void>) => async () => {
    await inside.once(name, everyMs, work);
  };
  const warnOfSilence = async () => {
    for (const { device, heardAt } of await inside.newlySilentDevices(options.silentAfter * DAY)) {
      const heard = formatInstant(heardAt);
      log.warn("a device has been silent for a long time", {
        deviceId: device.id,
        label: device.label,
        heard,
      });
    }
  };
  const forgetting = async () => {
    const isOurs = await inside.once("forget", SERVER_LIMITS.forgetEveryMs / 2, () => inside.forgetOld());
    if (!isOurs) await inside.forgetShows();
  };
  await Promise.all([
    again(once("silence", SERVER_LIMITS.silenceCheckMs, warnOfSilence), SERVER_LIMITS.silenceCheckMs, io),
    again(publishing, DEMO_EVERY_MS, io),
    again(() => inside.settleWaiting(), SERVER_LIMITS.settleWaitingEveryMs, io),
    again(forgetting, SERVER_LIMITS.forgetEveryMs, io),
    again(async () => manager.notify({ alive: true }), pulseMs(manager), io),
    keepListings(inside, { ...options, data }, { io, table }),
  ]);
  log.info("the guide server is stopping");
}

/** Loaded only where it is asked for: its library takes memory. @throws RecorderdError FILE_UNREADABLE */
async function metricsOf({ metricsTokenFile: file }: ServeOptions, { clock }: CliIo) {
  const token = file === undefined ? "" : await textOf(file);
  if (token === "") return undefined;
  const { RequestMetrics } = await import("../../guide-server/http/request-metrics.ts");
  return { token, requests: new RequestMetrics(clock) };
}

/** Repeats the work every `everyMs`, until asked to end. */
async function again(
  work: () => Promise<void>,
  everyMs: DurationMs,
  { clock, signal }: CliIo,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal).catch(() => {});
    if (!signal.aborted) await work();
  }
}

function databaseAddress(text: string): DatabaseAddress {
  try {
    return parseDatabaseAddress(text, PASSWORD_PLACE);
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    throw new InvalidArgumentError(error.message);
  }
}

/** With a database, a server has a folder only for itself. */
async function folderFor({ data, database, port }: ServeOptions): Promise<OwnFolder> {
  if (data !== undefined) return { path: data, [Symbol.asyncDispose]: async () => {} };
  if (database !== undefined) return await folderOfPort(port);
  const text = "Where is the data? Give --data FOLDER, or --database ADDRESS for a PostgreSQL database.";
  throw new RecorderdError("CONFIG_INVALID", text);
}

function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "")
    return text;
  throw new InvalidArgumentError("Expected an address such as https://guide.example/api.");
}

function proxies(text: string, others: readonly string[] = []): readonly string[] {
  try {
    trustedProxies([text]);
    return [...others, text];
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

function habits(text: string): readonly MisbehaviourName[] {
  return text.split(",").map((given) => {
    const found = MISBEHAVIOUR_NAMES.find((name) => name === given.trim());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`${given} is not one of ${MISBEHAVIOUR_NAMES.join(", ")}.`);
  });
}
