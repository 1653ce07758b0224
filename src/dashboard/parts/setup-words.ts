import type { SetupKind, SetupTrial } from "../../model/setup.ts";
import { reader, say } from "../state/language.ts";
import { durationText, troubleText } from "../words.ts";

/** The kinds of tuners that the catalogue has words for. */
const KINDS = [
  "hdhomerun",
  "satip",
  "tvheadend",
  "enigma2",
  "mirakurun",
  "dvb",
  "url",
  "file",
  "mock",
] as const;
type WordedKind = (typeof KINDS)[number];

export function isWorded(kind: string): kind is WordedKind {
  return KINDS.some((one) => one === kind);
}

/** The name of a kind; the recorder's own for one that the catalogue does not know. */
export function kindName(kind: string, kinds: readonly SetupKind[] = []): string {
  if (isWorded(kind)) return say(`setup-kind-${kind}`);
  return kinds.find((one) => one.kind === kind)?.name ?? kind;
}

/** The label of the field for a tuner's address. */
export function placeLabel({ kind, label }: SetupKind): string {
  return isWorded(kind) ? say(`setup-place-${kind}`) : label;
}

export function trialText(trial: SetupTrial): string {
  switch (trial.result) {
    case "works": {
      const { channel, afterMs, received, channels } = trial;
      return say("setup-tuner-works", { channel, time: durationText(afterMs), received, count: channels });
    }
    case "sign-in-needed":
      return say("setup-tuner-sign-in");
    case "scan-needed":
      return say("setup-tuner-scan", { frequencies: trial.frequencies });
    case "other-channels": {
      const { channels, services, examples } = trial;
      if (examples.length === 0) return say("setup-tuner-none", { count: channels });
      return say("setup-tuner-others", { count: channels, services, examples: reader().list(examples) });
    }
    case "silent":
      return say("setup-tuner-silent", { channel: trial.channel });
    case "not-received":
      return say("setup-tuner-not-received", { channel: trial.channel, reason: troubleText(trial) });
    case "failed":
      return troubleText(trial);
  }
}
