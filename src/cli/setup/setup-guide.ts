import { RecorderdError } from "../../model/errors.ts";
import { OWN_GUIDE_URL, type SetupChoice } from "../../model/setup.ts";
import { ALL, NEW } from "../../recorder/setup/draft.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";
import type { Asker } from "./interview.ts";

export interface GuideOptions {
  readonly guide?: string;
  readonly region?: string;
  readonly email?: string;
  readonly device?: string;
}

/** Asks for service, region and account, and tries each before the next question. */
export async function askGuideService(asker: Asker, options: GuideOptions): Promise<void> {
  const { io, interview, draft } = asker;
  const regions = await interview.about({
    question: "Address of the guide service (Enter: your own on this machine)",
    option: "--guide",
    given: options.guide,
    fallback: OWN_GUIDE_URL,
    read: (url) => regionsAt(url, asker),
  });
  show(io, regions);
  const region = await interview.about({
    question: "Region",
    option: "--region",
    given: options.region,
    ...(regions[0] === undefined ? {} : { fallback: String(regions[0].id) }),
    read: (text) => String(draft.region(text)),
  });
  const email = await interview.about({
    question: "E-mail address of your account (Enter: sign in later)",
    option: "--email",
    given: options.email,
    fallback: "",
    read: (text) => text,
  });
  if (email === "") return draft.useRecorder({ region, device: ALL }, io.signal);
  const devices = await interview.about({
    question: `Password of ${plainLine(email)}`,
    option: "standard input",
    hidden: true,
    read: (password) => draft.signIn({ email, password }, io.signal),
  });
  show(io, devices);
  return interview.about({
    question: "Device of this recorder: its number, new, or all (the timers of all devices)",
    option: "--device",
    given: options.device,
    fallback: devices.length === 0 ? NEW : ALL,
    read: (device) => draft.useRecorder({ region, device }, io.signal),
  });
}

async function regionsAt(url: string, { io, interview, draft }: Asker): Promise<readonly SetupChoice[]> {
  try {
    return await draft.useGuide({ url }, io.signal);
  } catch (error) {
    if (!(error instanceof RecorderdError) || error.code !== "GUIDE_FORBIDDEN") throw error;
    const key = { question: "API key of the service", option: "standard input", hidden: true };
    return interview.about({ ...key, read: (apiKey) => draft.useGuide({ url, apiKey }, io.signal) });
  }
}

function show(io: CliIo, choices: readonly SetupChoice[]): void {
  for (const { id, name } of choices) io.note(`  ${id}  ${plainLine(name)}`);
}
