import { RecorderdError } from "../model/errors.ts";
import { withinWire } from "../model/wire-text.ts";
import type {
  FoundChannel,
  FoundRecorder,
  FoundRecording,
  FoundRule,
  FoundTimer,
  LeftOut,
  Problem,
} from "./found.ts";
import { MIGRATION_LIMITS } from "./limits.ts";

/** Gathers the content of another recorder within the limits, its texts as we keep texts. */
export class Collector {
  readonly #channels: FoundChannel[] = [];
  readonly #recordings: FoundRecording[] = [];
  readonly #timers: FoundTimer[] = [];
  readonly #rules: FoundRule[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #problems: Problem[] = [];

  channel(channel: FoundChannel): void {
    const { length } = this.#channels;
    if (length < MIGRATION_LIMITS.items) this.#channels.push(cleaned(channel));
    else this.leaveOut("channel", channel.name, tooMany("channels", MIGRATION_LIMITS.items));
  }

  recording(recording: FoundRecording): void {
    const { title, files } = recording;
    if (files.length > MIGRATION_LIMITS.parts)
      this.leaveOut("recording", title, `It has more than ${MIGRATION_LIMITS.parts} files.`);
    else if (this.#recordings.length < MIGRATION_LIMITS.items)
      this.#recordings.push(cleanedRecording(recording));
    else this.leaveOut("recording", title, tooMany("recordings", MIGRATION_LIMITS.items));
  }

  timer(timer: FoundTimer): void {
    if (this.#timers.length < MIGRATION_LIMITS.orders)
      this.#timers.push({ ...timer, title: line(timer.title), channel: cleaned(timer.channel) });
    else this.leaveOut("timer", timer.title, tooMany("timers", MIGRATION_LIMITS.orders));
  }

  rule(rule: FoundRule): void {
    if (this.#rules.length < MIGRATION_LIMITS.orders)
      this.#rules.push({ ...rule, channels: rule.channels.map(cleaned) });
    else this.leaveOut("rule", rule.order.name, tooMany("rules", MIGRATION_LIMITS.orders));
  }

  /** @param why a sentence */
  leaveOut(kind: LeftOut["kind"], name: string, why: string): void {
    if (this.#leftOut.length < MIGRATION_LIMITS.named) this.#leftOut.push({ kind, name: line(name), why });
  }

  problem(problem: Problem): void {
    if (this.#problems.length < MIGRATION_LIMITS.named) this.#problems.push(problem);
  }

  /** Runs work on one file; a file that cannot be read is a problem, and stops nothing. */
  async attempt<T>(file: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "FILE_UNREADABLE") throw error;
      this.problem({ file, what: error.message });
      return undefined;
    }
  }

  found(): FoundRecorder {
    return {
      channels: this.#channels,
      recordings: this.#recordings,
      timers: this.#timers,
      rules: this.#rules,
      leftOut: this.#leftOut,
      problems: this.#problems,
    };
  }
}

function tooMany(what: string, most: number): string {
  return `It is one of more than ${most} ${what}.`;
}

function cleanedRecording(recording: FoundRecording): FoundRecording {
  const { title, subtitle, description, channel } = recording;
  return {
    ...recording,
    title: line(title),
    ...(subtitle === undefined ? {} : { subtitle: line(subtitle) }),
    ...(description === undefined
      ? {}
      : { description: withinWire(description, MIGRATION_LIMITS.descriptionLength) }),
    channel: cleaned(channel),
  };
}

function cleaned(channel: FoundChannel): FoundChannel {
  return { ...channel, name: line(channel.name) };
}

/** A text of one line. */
function line(text: string): string {
  return withinWire(text.replace(/\s+/g, " ").trim(), MIGRATION_LIMITS.titleLength);
}
