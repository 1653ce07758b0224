import { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { mistakesOf, pathText } from "../../recorder/config/mistakes.ts";
import { readYamlFile, type YamlFile } from "../../recorder/config/yaml-file.ts";
import { PlannedStep, stepOf } from "./planned-steps.ts";
import type { Step } from "./script.ts";

/** A written plan of faults, in place of random ones. docs/dev/simulation.md describes the file. */
export interface FaultPlan {
  /** The name as given, for output. */
  readonly file: string;
  /** Whether the seed's household also books, moves and forgets. */
  readonly household: boolean;
  /** Number of tuners, each receiving everything; absent: those of the seed. */
  readonly tuners?: number;
  readonly steps: readonly Step[];
}

/** Enough for a year of hourly faults. */
const STEPS_MAX = 10_000;

const PlanFile = z.strictObject({
  household: z.enum(["seeded", "none"]).default("seeded"),
  tuners: z.int().min(1).max(16).optional(),
  steps: z.array(PlannedStep).max(STEPS_MAX),
});

export interface Span {
  readonly start: EpochMs;
  readonly lengthMs: DurationMs;
}

/**
 * Reads a plan for the days of `span`.
 *
 * @throws RecorderdError FILE_UNREADABLE when there is no such file
 * @throws RecorderdError CONFIG_INVALID naming every mistake with its line and its path
 */
export async function readFaultPlan(file: string, span: Span): Promise<FaultPlan> {
  const yaml = await readYamlFile(file);
  if (yaml === undefined) {
    const message = `${file} does not exist: config/faults.example.yaml is one to begin with.`;
    throw new RecorderdError("FILE_UNREADABLE", message, { file });
  }
  const parsed = PlanFile.safeParse(yaml.data);
  if (!parsed.success) {
    const schema = z.toJSONSchema(PlanFile, { io: "input" });
    throw refusal(yaml, mistakesOf(parsed.error.issues, yaml.data, schema));
  }
  const { household, tuners, steps } = parsed.data;
  const planned = steps.map((step) => stepOf(step, span.start));
  const mistakes = planned.flatMap((step, index) =>
    impossibleSteps(step, { before: planned.slice(0, index), end: span.start + span.lengthMs, tuners }).map(
      ({ key, text }) => ({ path: ["steps", index, key], text }),
    ),
  );
  if (mistakes.length > 0) throw refusal(yaml, mistakes);
  const inOrder = [...planned].sort((a, b) => a.at - b.at);
  return {
    file,
    household: household === "seeded",
    ...(tuners === undefined ? {} : { tuners }),
    steps: inOrder,
  };
}

interface Surroundings {
  readonly before: readonly Step[];
  readonly end: EpochMs;
  readonly tuners: number | undefined;
}

/** The reasons why well-formed steps cannot happen. */
function impossibleSteps(
  { at, action }: Step,
  { before, end, tuners = Number.POSITIVE_INFINITY }: Surroundings,
): readonly { readonly key: string; readonly text: string }[] {
  const late =
    at >= end ? [{ key: "at", text: "comes after the last of the days: ask for more with --days" }] : [];
  const absent =
    "tuner" in action && action.tuner >= tuners
      ? [{ key: "tuner", text: `there is no tuner-${action.tuner + 1} among ${tuners}` }]
      : [];
  const isAgain =
    action.kind === "book" &&
    before.some(
      (other) => other.action.kind === "book" && other.action.booking.timerId === action.booking.timerId,
    );
  const again = isAgain ? [{ key: "timer", text: `${action.booking.timerId} is booked already` }] : [];
  return [...late, ...absent, ...again];
}

function refusal(
  yaml: YamlFile,
  mistakes: readonly { readonly path: readonly PropertyKey[]; readonly text: string }[],
): RecorderdError {
  const lines = mistakes
    .map(({ path, text }) => ({ line: yaml.lineOf(path) ?? 1, text: `${pathText(path)}: ${text}` }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => `  line ${line}: ${text}`);
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  const { file } = yaml;
  return new RecorderdError("CONFIG_INVALID", `${file} has ${count}:\n${lines.join("\n")}`, { file });
}
