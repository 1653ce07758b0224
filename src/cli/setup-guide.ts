import { hostname } from "node:os";
import { NOBODY } from "../config/live-secrets.ts";
import type { Secrets } from "../config/secrets.ts";
import type { GuideClient } from "../guide/client.ts";
import type { Document } from "../guide/documents.ts";
import { signIn } from "../guide/sign-in.ts";
import { RecorderdError } from "../model/errors.ts";
import { askGuide } from "./guide-access.ts";
import { type Interview, noAnswer } from "./interview.ts";
import type { CliIo } from "./io.ts";
import { plainLine } from "./plain-text.ts";

/** A guide service of recorderd's own on this machine: docs/guide-server.md. */
const OWN_SERVICE = "http://127.0.0.1:8437";

export interface GuideOptions {
  readonly guide?: string;
  readonly region?: string;
  readonly email?: string;
  readonly device?: string;
}

export interface GuideAnswers {
  readonly url: string;
  readonly regionId: number;
  readonly deviceId?: number;
  /** Of who signed in. */
  readonly secrets?: Secrets;
}

/** The service, the region and the account, each tried before the next is asked for. */
export async function askGuideService(
  io: CliIo,
  interview: Interview,
  options: GuideOptions,
): Promise<GuideAnswers> {
  const access = new Access(io);
  const { url, regions, apiKey } = await interview.about({
    question: "Address of the guide service (Enter: your own on this machine)",
    option: "--guide",
    given: options.guide,
    fallback: OWN_SERVICE,
    read: (text) => access.regionsAt(text, interview),
  });
  for (const { id, name } of regions) io.note(`  ${id}  ${plainLine(name)}`);
  const regionId = await interview.about({
    question: "Region",
    option: "--region",
    given: options.region,
    ...(regions[0] === undefined ? {} : { fallback: String(regions[0].id) }),
    read: (text) => oneOf(regions, text, "region"),
  });
  const email = await interview.about({
    question: "E-mail address of your account (Enter: sign in later)",
    option: "--email",
    given: options.email,
    fallback: "",
    read: (text) => text,
  });
  if (email === "") return { url, regionId };
  const secrets = await interview.about({
    question: `Password of ${plainLine(email)}`,
    option: "standard input",
    hidden: true,
    read: (password) => access.signIn({ url, email, password, apiKey }),
  });
  const deviceId = await askDevice(io, interview, { url, secrets, given: options.device });
  return { url, regionId, secrets, ...(deviceId === undefined ? {} : { deviceId }) };
}

class Access {
  readonly #io: CliIo;

  constructor(io: CliIo) {
    this.#io = io;
  }

  async regionsAt(url: string, interview: Interview) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw noAnswer("Expected an address such as https://guide.example/api.");
    }
    const ask = async (apiKey: string) => {
      const { regions } = (
        await asked(this.#io, { url, secrets: { apiKey } }, (client) => client.regions(this.#io.signal))
      ).value;
      return { url, regions, apiKey };
    };
    try {
      return await ask(NOBODY.apiKey);
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "GUIDE_FORBIDDEN") throw error;
      const key = { question: "API key of the service", option: "standard input", hidden: true };
      return interview.about({ ...key, read: ask });
    }
  }

  async signIn(who: {
    readonly url: string;
    readonly email: string;
    readonly password: string;
    readonly apiKey: string;
  }) {
    const { url, email, password, apiKey } = who;
    const request = { member: { email_address: email, password } };
    const login = (client: GuideClient) => signIn(client, request, this.#io.signal);
    const { account } = await asked(this.#io, { url, secrets: { apiKey } }, login);
    return { apiKey, account };
  }
}

async function asked<T>(
  io: CliIo,
  { url, secrets }: { readonly url: string; readonly secrets: Secrets },
  work: (client: GuideClient) => Promise<T>,
): Promise<T> {
  const answers: T[] = [];
  const place = { url, wire: "json", timeZone: "UTC" } as const;
  await askGuide(io, { place, secrets }, async (client) => void answers.push(await work(client)));
  const [answer] = answers;
  if (answer === undefined) throw new Error("the guide was asked and nothing came");
  return answer;
}

const NEW = "new";
const ALL = "all";

async function askDevice(
  io: CliIo,
  interview: Interview,
  {
    url,
    secrets,
    given,
  }: { readonly url: string; readonly secrets: Secrets; readonly given: string | undefined },
): Promise<number | undefined> {
  const { devices } = (await asked(io, { url, secrets }, (client) => client.devices(io.signal))).value;
  for (const { id, label } of devices) io.note(`  ${id}  ${plainLine(label)}`);
  return interview.about({
    question: "Device that this recorder is: its number, new, or all (the timers of all devices)",
    option: "--device",
    given,
    fallback: devices.length === 0 ? NEW : ALL,
    read: async (text) => {
      if (text === ALL) return undefined;
      if (text !== NEW) return oneOf(devices, text, "device");
      const { types } = (await asked(io, { url, secrets }, (client) => client.deviceTypes(io.signal))).value;
      const type = types.find(({ model }) => /recorderd|daemon/i.test(model ?? "")) ?? types[0];
      if (type === undefined) throw noAnswer("The service knows no types of devices: answer all.");
      const order = { label: hostname(), type_id: type.id };
      const made = await asked(io, { url, secrets }, (client) => client.addDevices([order], io.signal));
      return made.value.devices[0]?.id;
    },
  });
}

function oneOf(
  list: Document<"regions">["regions"] | Document<"devices">["devices"],
  text: string,
  what: string,
): number {
  const found = list.find(({ id }) => String(id) === text);
  if (found !== undefined) return found.id;
  const there = list.map(({ id }) => id).join(", ");
  throw noAnswer(`There is no ${what} ${plainLine(text)}${there === "" ? "" : `: choose one of ${there}`}.`);
}
