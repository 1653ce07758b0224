import type { Credentials } from "../../kit/http/http-auth.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { SetupTrial, SetupTuner } from "../../model/setup.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { invalidAnswer } from "./refusal.ts";
import { wantsSignIn } from "./tuner-sign-in.ts";
import { placeText, type TunerAnswer, type TunerEntry, tunerOf } from "./tuner-step.ts";

/** A tuner to try. */
export interface TunerTrial {
  readonly entry: TunerEntry;
  readonly credentials: Credentials | undefined;
}

/** The tuners among the answers of a setup. */
export class TunerAnswers {
  readonly #clock: Clock;
  #entries: readonly TunerEntry[] = [];
  /** User and password of each tuner's server. */
  readonly #signIns = new Map<string, Credentials>();
  readonly #tried = new Map<string, SetupTrial>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get entries(): readonly TunerEntry[] {
    return this.#entries;
  }

  /** For the secrets, by id; absent: none. */
  get credentials(): Readonly<Record<string, Credentials>> | undefined {
    return this.#signIns.size === 0 ? undefined : Object.fromEntries(this.#signIns);
  }

  views(): readonly SetupTuner[] {
    return this.#entries.map((entry) => {
      const { id, kind } = entry;
      return { id, kind, place: placeText(entry), ...withoutUndefined({ tried: this.#tried.get(id) }) };
    });
  }

  /** @returns the tuner's id */
  async add(words: TunerAnswer | object): Promise<string> {
    const entry = await tunerOf(words, this.#entries);
    if (this.#entries.some(({ id }) => id === entry.id))
      throw invalidAnswer(`A tuner ${entry.id} already exists.`, "tuner");
    this.#entries = [...this.#entries, entry];
    return entry.id;
  }

  remove(id: string): void {
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    this.#tried.delete(id);
    this.#signIns.delete(id);
  }

  /** Takes these instead of all others. */
  replace(entries: readonly TunerEntry[], credentials: Readonly<Record<string, Credentials>>): void {
    for (const { id } of this.#entries) this.remove(id);
    this.#entries = entries;
    for (const [id, one] of Object.entries(credentials)) this.#signIns.set(id, one);
  }

  /** Whether a tuner's server asks for user and password, and has no valid ones yet. */
  wantsSignIn(id: string, signal: AbortSignal): Promise<boolean> {
    return wantsSignIn(this.#trialOf(id), { clock: this.#clock, signal });
  }

  /**
   * Tries credentials at the tuner's server, and stores them for the secrets. @throws RecorderdError CONFIG_INVALID if the server
   * rejects them
   */
  async signIn(id: string, credentials: Credentials, signal: AbortSignal): Promise<void> {
    const { entry } = this.#trialOf(id);
    if (await wantsSignIn({ entry, credentials }, { clock: this.#clock, signal }))
      throw invalidAnswer(`${placeText(entry)} rejects this user or password.`, "tuner-password");
    this.#signIns.set(id, credentials);
  }

  /** Keeps the result of a trial; a failure is a result, too. */
  async trial(id: string, tryIt: (tuner: TunerTrial) => Promise<SetupTrial>): Promise<void> {
    const tuner = this.#trialOf(id);
    try {
      this.#tried.set(id, await tryIt(tuner));
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      this.#tried.set(id, { result: "failed", code: error.code, text: error.message });
    }
  }

  #trialOf(id: string): TunerTrial {
    const entry = this.#entries.find((one) => one.id === id);
    if (entry === undefined) throw invalidAnswer(`There is no tuner ${id}.`);
    return { entry, credentials: this.#signIns.get(id) };
  }
}
