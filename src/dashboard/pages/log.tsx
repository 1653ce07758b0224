import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SECOND } from "../../model/time.ts";
import { after, now } from "../clock.ts";
import { ask } from "../state/api.ts";
import { dayText, exactText } from "../words.ts";

interface LogLine {
  readonly at: number;
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

const AGAIN_MS = 3 * SECOND;
const LEVELS = ["info", "warn", "error"] as const;

/** The latest lines of the log, latest first. */
export function LogPage() {
  const lines = useSignal<readonly LogLine[]>([]);
  const failure = useSignal("");
  const least = useSignal<LogLine["level"]>("info");
  useEffect(() => {
    let callOff = () => {};
    let isOver = false;
    async function look(): Promise<void> {
      try {
        lines.value = await ask<readonly LogLine[]>("GET", "/v1/logs");
        failure.value = "";
      } catch (error) {
        failure.value = error instanceof Error ? error.message : String(error);
      }
      if (!isOver) callOff = after(AGAIN_MS, () => void look());
    }
    void look();
    return () => {
      isOver = true;
      callOff();
    };
  }, [lines, failure]);
  const shown = useComputed(() =>
    lines.value.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(least.value)).toReversed(),
  );
  return (
    <>
      <div class="bar-of-page">
        <h1>Log</h1>
        <fieldset class="buttons choice">
          <legend class="hidden">Minimum level</legend>
          {LEVELS.map((level) => (
            <button
              key={level}
              type="button"
              aria-pressed={least.value === level}
              onClick={() => (least.value = level)}
            >
              {level}
            </button>
          ))}
        </fieldset>
      </div>
      <p class="faint" role="status">
        {failure.value === "" ? `${shown.value.length} lines` : failure.value}
      </p>
      <ol class="log" aria-label="Lines of the log, the latest first">
        {shown.value.map(({ at, level, message, facts }, index) => (
          <li key={shown.value.length - index} class={level}>
            <time>
              {dayText(at, now.value)} {exactText(at)}
            </time>{" "}
            <strong>{level}</strong> {message}{" "}
            <span class="faint">
              {Object.entries(facts ?? {})
                .map(([name, value]) => `${name}=${value}`)
                .join(" ")}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
