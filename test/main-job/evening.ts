import { createGuideClient, type GuideClient } from "../../src/guide-wire/client.ts";
import { createHttpClient, type HttpClient } from "../../src/kit/http/http.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { SECOND } from "../../src/model/time.ts";
import { type Chance, chanceOf } from "../../src/simulator/weeks/chance.ts";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import { pause, type TestWorld } from "./recorder.ts";

const clock = systemClock();

/** So many shows wait for their end at any time, more or less. */
const OPEN_SHOWS = 6;
const LOOK_MS = 400;

interface Booked {
  readonly timerId: string;
  readonly channel: number;
  readonly title: string;
  readonly start: number;
  readonly durationMs: number;
}

/** A household that books, moves, trims and forgets short shows until the evening is over. */
export class Evening {
  /** Every timer that was ever booked. */
  readonly timers: string[] = [];
  readonly #home: TestWorld;
  readonly #chance: Chance;
  readonly #channels: number;
  readonly #http: HttpClient;
  readonly #account: GuideClient;
  #open: readonly Booked[] = [];

  constructor(home: TestWorld, { seed, channels }: { readonly seed: number; readonly channels: number }) {
    this.#home = home;
    this.#chance = chanceOf(seed, "evening");
    this.#channels = channels;
    this.#http = createHttpClient();
    const { world, token } = home;
    this.#account = createGuideClient({
      baseUrl: world.guideUrl,
      apiKey: SIM_API_KEY,
      applicationVersion: "test",
      wire: "json",
      http: this.#http,
      clock,
      credentials: () => ({ email: world.account.email, token }),
    });
  }

  /** When the last show that is booked now is over. */
  get end(): number {
    return Math.max(0, ...this.#open.map(({ start, durationMs }) => start + durationMs));
  }

  async run(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      this.#open = this.#open.filter(({ start, durationMs }) => start + durationMs > clock.now());
      if (this.#open.length < OPEN_SHOWS) await this.#bookAny();
      else if (this.#chance.percent(25)) await this.#changeOne();
      await pause(LOOK_MS);
    }
    await this.#http[Symbol.asyncDispose]();
  }

  async #bookAny(): Promise<void> {
    const chance = this.#chance;
    await this.#book({
      channel: chance.int(1, this.#channels),
      title: `Show ${this.timers.length + 1}`,
      start: fullSecond(clock.now() + chance.int(2, 7) * SECOND),
      durationMs: chance.int(2, 6) * 3 * SECOND,
    });
  }

  async #book(show: Omit<Booked, "timerId">): Promise<void> {
    const timerId = await this.#home.world.book(show, this.#home.deviceId);
    this.timers.push(timerId);
    this.#open = [...this.#open, { ...show, timerId }];
  }

  /** Acts as a viewer does: over HTTP, whether the show runs already or not. */
  async #changeOne(): Promise<void> {
    const [first, ...others] = this.#chance.shuffled(this.#open);
    if (first === undefined || others.length === 0) return;
    const { signal } = new AbortController();
    const { timerId, ...show } = first;
    const what = this.#chance.pick(["trim", "forget", "move"]);
    if (what === "trim") {
      await this.#account.setTimer(timerId, { "pre-padding": 0, "post-padding": 0 }, signal);
      return;
    }
    await this.#account.deleteTimer(timerId, signal);
    this.#open = this.#open.filter((other) => other !== first);
    if (what === "move") await this.#book({ ...show, start: fullSecond(clock.now() + 4 * SECOND) });
  }
}

function fullSecond(at: number): number {
  return Math.ceil(at / SECOND) * SECOND;
}
