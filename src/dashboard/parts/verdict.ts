import type { Verdict } from "../../model/evidence.ts";
import type { Tone } from "../words.ts";

export const VERDICTS: Readonly<
  Record<Verdict, { readonly tone: Tone; readonly mark: string; readonly text: string }>
> = {
  perfect: { tone: "good", mark: "★", text: "perfect" },
  good: { tone: "good", mark: "✓", text: "good" },
  damaged: { tone: "warn", mark: "◑", text: "damaged" },
  unusable: { tone: "bad", mark: "✕", text: "unusable" },
};
