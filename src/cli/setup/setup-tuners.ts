import type { SetupOffer } from "../../model/setup.ts";
import type { SetupDraft } from "../../recorder/setup/draft.ts";
import { invalidAnswer } from "../../recorder/setup/refusal.ts";
import { SETUP_KINDS, type TunerAnswer } from "../../recorder/setup/tuner-step.ts";
import { TUNER_KINDS } from "../../recorder/tune/registry.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";
import type { Asker } from "./interview.ts";

interface Options {
  /** The values of --tuner. */
  readonly given: readonly string[];
  readonly discover: boolean;
}

const EXAMPLES = SETUP_KINDS.map(
  ({ kind, example, channelList }) =>
    `  ${kind} ${example}${channelList === "required" ? " /etc/recorderd/channels.conf" : ""}`,
);
const BY_HAND = TUNER_KINDS.filter(({ address }) => address === undefined).map(
  ({ kind, name }) =>
    `A tuner of kind ${kind} (${name}) must be written into the configuration by hand: docs/tuners.md.`,
);

/** The tuners from the options, else those that a person selects from the discovered ones or enters. */
export async function askTuners(
  { io, interview, draft }: Asker,
  { given, discover }: Options,
): Promise<void> {
  for (const text of given) {
    const named = { question: "Tuner", option: "--tuner", given: text };
    const id = await interview.about({ ...named, read: (typed) => draft.tuners.add(tunerIn(typed)) });
    await askSignIn({ io, interview, draft }, id);
  }
  if (given.length > 0) return;
  const found = discover ? await offered(io, draft) : [];
  for (const [at, { text }] of found.entries()) io.note(`  ${at + 1}  ${plainLine(text)}`);
  io.note(
    `A tuner is ${found.length === 0 ? "" : "one of these numbers, or "}KIND ADDRESS [CHANNEL LIST], such as:\n${[...EXAMPLES, ...BY_HAND].join("\n")}`,
  );
  for (;;) {
    const isFirst = draft.tuners.entries.length === 0;
    const next = await interview.about({
      question: isFirst ? "Tuner" : "Another tuner (Enter: no more)",
      option: "--tuner",
      ...(isFirst ? {} : { fallback: "" }),
      read: async (text) => {
        if (text === "") return undefined;
        const offer = /^\d+$/.test(text) ? found[Number(text) - 1] : undefined;
        if (offer === undefined) return draft.tuners.add(tunerIn(text));
        const { kind, place } = offer;
        if (!offer.wantsList) return draft.tuners.add({ kind, place });
        const list = { question: `Channel list for ${offer.text} (a file)`, option: "--tuner" };
        return interview.about({
          ...list,
          read: (channelList) => draft.tuners.add({ kind, place, channelList }),
        });
      },
    });
    if (next === undefined) return;
    await askSignIn({ io, interview, draft }, next);
  }
}

/** Asks for user and password of a tuner's server. A person without them can skip this: the recorder asks later. */
async function askSignIn({ io, interview, draft }: Asker, id: string): Promise<void> {
  if (!(await draft.tuners.wantsSignIn(id, io.signal))) return;
  io.note(`The server of ${id} needs a user and a password.`);
  const later = `Enter: later, with recorderd tuners login ${id} USER`;
  await interview.about({
    question: `User (${later})`,
    option: "--tuner",
    fallback: "",
    read: async (user) => {
      if (user === "") return;
      const asked = { question: `Password of ${user}`, option: "--tuner", hidden: true };
      const password = await interview.about({ ...asked, read: (text) => text });
      await draft.tuners.signIn(id, { user, password }, io.signal);
    },
  });
}

function offered(io: CliIo, draft: SetupDraft): Promise<readonly SetupOffer[]> {
  io.note("Looking for DVB cards, and for tuners on the network …");
  return draft.look(io.signal);
}

/** A tuner in short notation, or as a JSON entry of the configuration. */
function tunerIn(text: string): TunerAnswer | object {
  if (text.startsWith("{")) return jsonOf(text);
  const [kind = "", place = "", channelList = ""] = text.split(/\s+/);
  return { kind, place, channelList };
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw invalidAnswer("That begins like JSON, but is not valid JSON.");
}
