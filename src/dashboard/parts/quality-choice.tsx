import type { Quality } from "../../model/rule.ts";
import { say } from "../state/language.ts";

/** The qualities of the guide service, with the keys of their words. */
const QUALITY_WORDS = [
  ["Prefer HD", "series-prefer-hd"],
  ["HD Only", "series-hd-only"],
  ["Prefer SD", "series-prefer-sd"],
  ["SD Only", "series-sd-only"],
] as const satisfies readonly (readonly [Quality, string])[];

export function QualityChoice({
  value,
  onChoose,
}: {
  readonly value: Quality;
  readonly onChoose: (quality: Quality) => void;
}) {
  return (
    <label class="field">
      {say("series-quality")}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.value as Quality);
        }}
      >
        {QUALITY_WORDS.map(([code, key]) => (
          <option key={code} value={code}>
            {say(key)}
          </option>
        ))}
      </select>
    </label>
  );
}
