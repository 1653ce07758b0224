import type { Command } from "commander";
import type { Document } from "../../guide-wire/documents.ts";
import type { DeviceOrder } from "../../guide-wire/records.ts";
import { signIn } from "../../guide-wire/sign-in.ts";
import { RecorderdError } from "../../model/errors.ts";
import { NO_ACCOUNT } from "../../recorder/config/live-secrets.ts";
import {
  prepareFolder,
  readSecretsFile,
  type Secrets,
  writeSecretsFile,
} from "../../recorder/config/secrets.ts";
import {
  askGuide,
  type GuideOptions,
  type GuidePlace,
  guideLeaf,
  placeOf,
  usageError,
} from "../guide/guide-access.ts";
import { printDone } from "../guide/guide-output.ts";
import { filled, numberId } from "../guide/guide-values.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { refuseIfHandedOver } from "../secrets-file.ts";

interface LoginOptions extends GuideOptions {
  readonly region?: number;
  readonly label?: string;
  readonly type?: number;
  readonly uid?: string;
}

/**
 * `recorderd login EMAIL`: requests a token and stores it for the daemon, which may be running. The password is not
 * stored.
 */
export function loginCommand(io: CliIo): Command {
  return guideLeaf("login", "sign in: get a token from the service and store it, also for a running daemon")
    .argument("<email>", "e-mail address of the account", filled)
    .option("--region <id>", "create an account in this region, if the service accepts sign-ups", numberId)
    .option("--label <text>", "register this recorder as a device with this display name", filled)
    .option("--type <id>", "type of the device, from `recorderd guide device-types`", numberId)
    .option(
      "--uid <text>",
      "unique identifier of the device, typically a MAC address; if the service knows it, that device is used again",
    )
    .addHelpText(
      "after",
      "\nOn a terminal, the command asks for the password; otherwise it reads the first line of standard input.\n" +
        "If the service needs an API key, the command also asks for it, or reads the second line; without an answer, the stored key stays.",
    )
    .action(async (email: string, options: LoginOptions) => {
      const device = deviceOf(io, options);
      const place = await placeOf(io, options);
      const file = await secretsPathOf(io, place);
      const before = await secretsBefore(io, file);
      const { password, apiKey } = await credentialsFrom(io, email, before);
      await prepareFolder(file);
      const region = options.region === undefined ? {} : { region_id: options.region };
      const request = { member: { email_address: email, password, ...region }, ...device };
      await askGuide(io, { place, secrets: { apiKey } }, async (client) => {
        const { document, account } = await signIn(client, request, io.signal);
        await writeSecretsFile(file, { ...before, apiKey, account });
        printLogin(io, { value: document, file, place, options });
      });
    });
}

function deviceOf(io: CliIo, { label, type, uid }: LoginOptions): { readonly device?: DeviceOrder } {
  if (label === undefined && type === undefined && uid === undefined) return {};
  if (label === undefined || type === undefined)
    throw usageError(io, "a device needs both --label and --type");
  return { device: { label, type_id: type, ...(uid === undefined ? {} : { uid }) } };
}

async function secretsPathOf(io: CliIo, { secretsPath, controlSocket }: GuidePlace): Promise<string> {
  if (controlSocket !== undefined) await refuseIfHandedOver(io, controlSocket);
  if (secretsPath !== undefined) return secretsPath;
  throw usageError(io, "choose a file for the token: --secrets FILE");
}

/** A damaged file is rewritten and loses its API key. A file with too open permissions is still read in full. */
async function secretsBefore(io: CliIo, file: string): Promise<Secrets | undefined> {
  try {
    return await readSecretsFile(file);
  } catch (error) {
    if (!(error instanceof RecorderdError) || error.code !== "CONFIG_INVALID") throw error;
    if (error.facts["mode"] !== undefined) throw error;
    io.note(`${file} cannot be used: it is written again, without its old content.`);
    return undefined;
  }
}

interface Given {
  readonly password: string;
  readonly apiKey: string;
}

async function credentialsFrom(io: CliIo, email: string, before: Secrets | undefined): Promise<Given> {
  const typed =
    io.askHidden === undefined ? linesOf(await io.readStdin()) : await asked(io.askHidden, email, before);
  const [password = "", apiKey = ""] = typed;
  if (password === "")
    throw usageError(io, "no password was given: enter it when asked, or send it on standard input");
  return { password, apiKey: apiKey === "" ? (before ?? NO_ACCOUNT).apiKey : apiKey };
}

function linesOf(text: string): readonly string[] {
  const [password = "", apiKey = ""] = text.split(/\r?\n/);
  return [password, apiKey.trim()];
}

async function asked(
  ask: NonNullable<CliIo["askHidden"]>,
  email: string,
  before: Secrets | undefined,
): Promise<readonly string[]> {
  const password = await ask(`Password of ${plainLine(email)}: `);
  if (password === "" || before !== undefined) return [password];
  return [password, (await ask("API key of the service (Enter: none): ")).trim()];
}

interface LoginResult {
  readonly value: Document<"login">;
  readonly file: string;
  readonly place: GuidePlace;
  readonly options: GuideOptions;
}

/** Prints the result without the token, in JSON too. */
function printLogin(io: CliIo, { value, file, place, options }: LoginResult): void {
  const { token: _, ...member } = value.member;
  const { device } = value;
  if (options.json === true) {
    io.print(plainJson({ ...value, member }));
  } else {
    const until = member.token_expiry === undefined ? "" : ` until ${member.token_expiry}`;
    io.print(plainLine(`signed in as ${member.email_address}${until}`));
    if (device !== undefined) io.print(plainLine(`device ${device.id}: ${device.label}`));
  }
  io.note(`The token is stored in ${file}.`);
  if (device !== undefined && options.url === undefined && place.deviceId !== device.id) {
    io.note(
      `To record only the timers of this device, set guide.deviceId to ${device.id} in ${options.config}.`,
    );
  }
}

/** `recorderd guide logout`: revokes the token at the service and removes it here. The API key stays. */
export function logoutCommand(io: CliIo): Command {
  return guideLeaf("logout", "sign out: revoke the token and remove it here").action(
    async (options: GuideOptions) => {
      const place = await placeOf(io, options);
      const file = await secretsPathOf(io, place);
      const secrets = (await readSecretsFile(file)) ?? NO_ACCOUNT;
      await askGuide(io, { place, secrets }, async (client) => {
        if (!(await endsToken(() => client.logout(io.signal)))) {
          io.note("The token had already expired or been revoked.");
        }
        const { account: _signedOut, ...kept } = secrets;
        await writeSecretsFile(file, kept);
        printDone(io, options, "signed out");
      });
    },
  );
}

/** Whether the token is revoked, now or earlier: the service then answers 401 or 404. */
async function endsToken(logout: () => Promise<void>): Promise<boolean> {
  try {
    await logout();
    return true;
  } catch (error) {
    if (!(error instanceof RecorderdError) || error.facts["html"] === true) throw error;
    if (error.facts["status"] !== 401 && error.facts["status"] !== 404) throw error;
    return false;
  }
}
