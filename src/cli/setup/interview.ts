import type { CommanderError } from "commander";
import type { Questions } from "../../kit/process/terminal.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { SetupDraft } from "../../recorder/setup/draft.ts";
import { invalidAnswer } from "../../recorder/setup/refusal.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainLines } from "../plain-text.ts";

/** One value to determine: from an option, else by a question. */
export interface Question<T> {
  readonly question: string;
  /** The option that provides it, for scripts. */
  readonly option: string;
  readonly given?: string | undefined;
  /** The default, for an empty line and at the end of input. */
  readonly fallback?: string;
  readonly hidden?: boolean;
  /** Parses the answer. @throws RecorderdError with the reason of a refusal */
  readonly read: (text: string) => T | Promise<T>;
}

/** The parts of setup that ask a person. */
export interface Asker {
  readonly io: CliIo;
  readonly interview: Interview;
  readonly draft: SetupDraft;
}

/**
 * Asks one question after another. A person is asked again after a mistake; a script gets an error before anything has changed.
 */
export class Interview {
  readonly #io: CliIo;
  readonly #questions: Questions;

  constructor(io: CliIo, questions: Questions) {
    this.#io = io;
    this.#questions = questions;
  }

  async about<T>(asked: Question<T>): Promise<T> {
    const { given, option, read } = asked;
    if (given !== undefined) return this.#sure(option, () => read(given));
    for (;;) {
      const text = await this.#line(asked);
      if (!this.#questions.isTerminal) return this.#sure(option, () => read(text));
      try {
        return await read(text);
      } catch (error) {
        if (!(error instanceof RecorderdError)) throw error;
        this.#io.note(plainLines(error.message));
      }
    }
  }

  async #line({ question, option, fallback, hidden = false }: Question<unknown>): Promise<string> {
    const hint = fallback === undefined || fallback === "" ? "" : ` [${fallback}]`;
    for (;;) {
      const text = (await this.#questions.ask(`${question}${hint}: `, { hidden }))?.trim();
      if (text !== undefined && text !== "") return text;
      if (fallback !== undefined) return fallback;
      if (text === undefined || !this.#questions.isTerminal) {
        throw this.#refusal(option, "standard input is empty");
      }
    }
  }

  async #sure<T>(option: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "CONFIG_INVALID") throw error;
      throw this.#refusal(option, error.message);
    }
  }

  #refusal(option: string, why: string): CommanderError {
    return usageError(this.#io, `${option}: ${plainLines(why)}`);
  }
}

export function yesOrNo(text: string): boolean {
  if (/^y(es)?$/i.test(text)) return true;
  if (/^no?$/i.test(text)) return false;
  throw invalidAnswer("Answer yes or no.");
}
