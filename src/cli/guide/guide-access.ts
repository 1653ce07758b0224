import { Command, CommanderError, Option } from "commander";
import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import type { WireFormat } from "../../guide-wire/codec.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { askDaemon, type Question } from "../../recorder/api/ask.ts";
import { trustOf } from "../../recorder/config/authorities.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { DEFAULT_CONFIG, loadConfig } from "../../recorder/config/load.ts";
import { readSecretsFile, type Secrets, secretsPlace } from "../../recorder/config/secrets.ts";
import { configOption } from "../defaults.ts";
import { EXIT_USAGE } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";

/** The options of every command in the group. */
export interface GuideOptions {
  readonly config?: string;
  readonly url?: string;
  readonly secrets?: string;
  readonly wire?: WireFormat;
  readonly json?: boolean;
}

/** A slower daemon will poll the service by itself. */
const SYNC_WAIT_MS = 2 * SECOND;

/** The guide service's address, with the account's settings for it. */
export interface GuidePlace {
  readonly url: string;
  readonly wire: WireFormat;
  /** Absent if only an address was given: then nobody is signed in. */
  readonly secretsPath?: string;
  /** From the configuration, if there is one. */
  readonly regionId?: number;
  readonly deviceId?: number;
  readonly caFile?: string;
  /** The control socket of the daemon with this configuration; absent if only an address was given. */
  readonly controlSocket?: string;
  readonly timeZone: string;
}

interface Guide {
  readonly client: GuideClient;
  readonly place: GuidePlace;
}

/** A command with the options of the group. */
export function guideLeaf(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      configOption(
        "configuration of the daemon, which names the service, the region and the secrets",
      ).conflicts(["url", "secrets"]),
    )
    .option("--url <url>", "base address of the service, if there is no configuration")
    .option("--secrets <file>", "with --url: file with API key, e-mail address and token (mode 0600)")
    .addOption(
      new Option(
        "--wire <format>",
        "format of documents on the wire (default: the configuration's, or json)",
      ).choices(["json", "xml"]),
    )
    .option("--json", "print the answer as one JSON document")
    .showHelpAfterError("(for details: --help)");
}

/**
 * Runs `work` with a client for the service that the options name.
 *
 * @throws RecorderdError CONFIG_INVALID or FILE_UNREADABLE of the configuration or the secrets; GUIDE_… of the client
 * @throws CommanderError when the options name no service
 */
export async function withGuide(
  io: CliIo,
  options: GuideOptions,
  work: (guide: Guide) => Promise<void>,
): Promise<void> {
  const place = await placeOf(io, options);
  const secrets = place.secretsPath === undefined ? undefined : await readSecretsFile(place.secretsPath);
  await askGuide(io, { place, secrets: secrets ?? NO_ACCOUNT }, (client) => work({ client, place }));
}

/**
 * Runs `work`, which changes the orders, and makes a daemon of the same configuration poll at once: an event that begins soon
 * would be over at its next poll.
 *
 * @throws as withGuide
 */
export async function withOrders(
  io: CliIo,
  options: GuideOptions,
  work: (guide: Guide) => Promise<void>,
): Promise<void> {
  await withGuide(io, options, async (guide) => {
    await work(guide);
    const question = { method: "POST", path: "/v1/sync", patienceMs: SYNC_WAIT_MS } as const;
    await askDaemonIfRunning(io, guide.place, question);
  });
}

/**
 * The recorder that an order is for: the chosen one, that of the configuration, or the account's only one.
 *
 * @throws CommanderError if the account has none, or several
 */
export async function orderDevice(
  io: CliIo,
  { client, place }: Guide,
  chosen: number | undefined = place.deviceId,
): Promise<number> {
  if (chosen !== undefined) return chosen;
  const { devices } = (await client.devices(io.signal)).value;
  const [only, ...others] = devices;
  if (only === undefined)
    throw usageError(io, "the account has no recorder: create one with recorderd login --uid NAME");
  if (others.length === 0) return only.id;
  const names = devices.map(({ id, label }) => `${id} (${plainLine(label)})`).join(", ");
  throw usageError(io, `choose one of the account's recorders with --device ID: ${names}`);
}

/** Asks the daemon of the configuration. @returns `undefined` if none answers: the change at the guide service holds anyway */
export async function askDaemonIfRunning<T>(
  io: CliIo,
  { controlSocket }: GuidePlace,
  question: Question,
): Promise<T | undefined> {
  if (controlSocket === undefined) return undefined;
  try {
    return await askDaemon<T>(controlSocket, question, io);
  } catch (error) {
    if (error instanceof RecorderdError) return undefined;
    throw error;
  }
}

/** Runs `work` with a client that uses these secrets. */
export async function askGuide(
  io: CliIo,
  { place, secrets }: { readonly place: GuidePlace; readonly secrets: Secrets },
  work: (client: GuideClient) => Promise<void>,
): Promise<void> {
  await using http = createHttpClient(await trustOf(place.caFile));
  const client = createGuideClient({
    baseUrl: place.url,
    apiKey: secrets.apiKey,
    applicationVersion: VERSION,
    wire: place.wire,
    http,
    clock: io.clock,
    credentials: () => secrets.account,
  });
  await work(client);
}

/**
 * The service that the options name.
 *
 * @throws as withGuide
 */
export async function placeOf(io: CliIo, options: GuideOptions): Promise<GuidePlace> {
  const { config: file = DEFAULT_CONFIG, url, secrets, wire } = options;
  if (secrets !== undefined && url === undefined) throw usageError(io, "--secrets needs --url");
  if (url !== undefined) {
    if (!isWebAddress(url)) throw usageError(io, "--url needs an address such as https://guide.example/api");
    const secretsPath = secrets === undefined ? {} : { secretsPath: secrets };
    return { url, wire: wire ?? "json", timeZone: systemZone(), ...secretsPath };
  }
  const { guide, data, control, timeZone = systemZone() } = await loadConfig(file);
  const { regionId, deviceId } = guide;
  return {
    url: guide.url,
    wire: wire ?? guide.format,
    secretsPath: secretsPlace(data.folder),
    controlSocket: control.socket,
    timeZone,
    regionId,
    ...withoutUndefined({ deviceId, caFile: guide.caFile }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Reports a usage error that commander does not detect, and exits like commander. */
export function usageError(io: CliIo, message: string): CommanderError {
  io.note(`error: ${message}\n(for details: --help)`);
  return new CommanderError(EXIT_USAGE, "recorderd.usage", message);
}
