import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SECOND } from "../../model/time.ts";
import { after, now } from "../clock.ts";
import { Empty } from "../parts/empty.tsx";
import { focusPage } from "../parts/focus.ts";
import { ask } from "../state/api.ts";
import { say } from "../state/language.ts";
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
  const isLoaded = useSignal(false);
  const failure = useSignal("");
  const least = useSignal<LogLine["level"]>("info");
  useEffect(() => {
    let callOff = () => {};
    let isOver = false;
    async function look(): Promise<void> {
      try {
        lines.value = await ask<readonly LogLine[]>("GET", "/v1/logs");
        failure.value = "";
        isLoaded.value = true;
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
  }, [lines, failure, isLoaded]);
  const shown = useComputed(() =>
    lines.value.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(least.value)).toReversed(),
  );
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-log")}</h1>
        <fieldset class="buttons choice">
          <legend class="hidden">{say("log-level")}</legend>
          {LEVELS.map((level) => (
            <button
              key={level}
              type="button"
              aria-pressed={least.value === level}
              onClick={() => (least.value = level)}
            >
              {say(`log-level-${level}`)}
            </button>
          ))}
        </fieldset>
      </div>
      <p class="faint">{say("log-about")}</p>
      {isLoaded.value && failure.value === "" && shown.value.length === 0 ? (
        <Empty title={say("log-empty")}>
          {least.value === "info" ? (
            say("log-empty-all")
          ) : (
            <>
              {say("log-empty-level")}{" "}
              <button
                type="button"
                onClick={() => {
                  focusPage();
                  least.value = "info";
                }}
              >
                {say("log-show-all")}
              </button>
            </>
          )}
        </Empty>
      ) : (
        <p class="faint" role="status">
          {failure.value === "" ? say("log-count", { count: shown.value.length }) : failure.value}
        </p>
      )}
      <ol class="log" aria-label={say("log-lines")}>
        {shown.value.map(({ at, level, message, facts }, index) => (
          <li key={shown.value.length - index} class={level}>
            <time>{say("day-and-time", { day: dayText(at, now.value), time: exactText(at) })}</time>{" "}
            <strong>{say(`log-line-${level}`)}</strong> <span lang="en">{message}</span>{" "}
            <span class="faint" lang="en">
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
