import { Command, CommanderError, Option } from "commander";
import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import type { WireFormat } from "../../guide-wire/codec.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { askDaemon, type Question } from "../../recorder/api/ask.ts";
import { trustOf } from "../../recorder/config/authorities.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import { DEFAULT_CONFIG, loadConfig } from "../../recorder/config/load.ts";
import { readSecretsFile, type Secrets, secretsPlace } from "../../recorder/config/secrets.ts";
import { configOption } from "../defaults.ts";
import { EXIT_USAGE } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";

/** What every command of the group takes. */
export interface GuideOptions {
  readonly config?: string;
  readonly url?: string;
  readonly secrets?: string;
  readonly wire?: WireFormat;
  readonly json?: boolean;
}

/** A daemon that takes longer than that to answer asks the service by itself sooner or later. */
const NUDGE_MS = 2 * SECOND;

/** Where the guide service is, and what is known of the account's use of it. */
export interface GuidePlace {
  readonly url: string;
  readonly wire: WireFormat;
  /** Absent where only an address was given: then nobody is signed in. */
  readonly secretsPath?: string;
  /** Of the configuration, where there is one. */
  readonly regionId?: number;
  readonly deviceId?: number;
  readonly caFile?: string;
  /** Of the daemon with this configuration; absent where only an address was given. */
  readonly controlSocket?: string;
  /** In which times are shown. */
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
      configOption("the daemon's configuration: names the service, the region and the secrets").conflicts([
        "url",
        "secrets",
      ]),
    )
    .option("--url <url>", "base address of the service, where there is no configuration")
    .option("--secrets <file>", "with --url: the file with API key, e-mail address and token (mode 0600)")
    .addOption(
      new Option(
        "--wire <format>",
        "how documents are written on the wire (default: the configuration's, or json)",
      ).choices(["json", "xml"]),
    )
    .option("--json", "print the answer as one JSON document, for scripts")
    .showHelpAfterError("(--help says more)");
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
 * Runs `work`, which changes what is to be recorded, and has a daemon of the same configuration ask the service at once: what
 * begins soon would be over at its next poll.
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
    const question = { method: "POST", path: "/v1/sync", patienceMs: NUDGE_MS } as const;
    await askDaemonIfThere(io, guide.place, question);
  });
}

/** Asks the daemon of the configuration. @returns `undefined` where none answers: what the guide service did holds without one */
export async function askDaemonIfThere<T>(
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
    if (!isWebAddress(url)) throw usageError(io, "--url takes an address such as https://guide.example/api");
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
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(guide.caFile === undefined ? {} : { caFile: guide.caFile }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A command line that cannot be carried out: said here, since commander does not see it, and ended as commander does. */
export function usageError(io: CliIo, message: string): CommanderError {
  io.note(`error: ${message}\n(--help says more)`);
  return new CommanderError(EXIT_USAGE, "recorderd.usage", message);
}
