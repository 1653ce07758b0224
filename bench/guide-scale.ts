import { join } from "node:path";
import { Chance } from "../src/guide-server/demo/chance.ts";
import { SECOND } from "../src/model/time.ts";
import { cpuSecondsOf } from "./capture/usage.ts";
import { type GuideProcess, startGuide } from "./guide-process.ts";
import { type Benchmark, type Case, count, type Measures, mib, ms, perSecond, quantile } from "./harness.ts";
import { memoryOf } from "./memory.ts";
import { deviceOf, showNumber, TIMERS_OF_ACCOUNT } from "./scale/accounts.ts";
import { Load } from "./scale/load.ts";
import { postgresStore, type Store, sqliteStore } from "./scale/store.ts";
import { Streams } from "./scale/streams.ts";
import { told, writeListing } from "./xmltv.ts";

const AT_ONCE = 50;
/** Bookings while recorders wait for changes, and while a listing is read: so many a second. */
const STEADY_PER_SECOND = 20;
/** Accounts whose lists are polled again. */
const ACCOUNTS_POLLED = 2000;
/** Recorders that wait for changes while a listing is read. */
const STREAMS_WHILE_READING = 1000;

interface ScaleOptions {
  readonly engine: string;
  readonly accounts: number;
  readonly streams: number;
  readonly seconds: number;
  readonly told: (what: string) => void;
}

/**
 * `recorderd guide-server` as a process of its own, with many accounts of 20 timers each and a guide of 200 channels × 35 shows × 14
 * days, is polled and booked at.
 */
export function guideScaleBenchmark(options: ScaleOptions): Benchmark {
  return {
    name: "guide-scale",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const store = await (options.engine === "sqlite" ? sqliteStore : postgresStore)(folder, options);
      const listing = join(folder, "listing.xml");
      await writeListing(listing);
      options.told(`${Math.round((await store.bytes()) / 2 ** 20)} MiB of data`);
      const scene = await Scene.open(store, { ...options, folder });
      return {
        cases: casesOf(scene, listing),
        [Symbol.asyncDispose]: async () => {
          await scene[Symbol.asyncDispose]();
          await store[Symbol.asyncDispose]();
        },
      };
    },
  };
}

function casesOf(scene: Scene, listing: string): readonly Case[] {
  return [
    { name: "polls, changed lists", run: () => scene.changedPolls() },
    { name: "polls, unchanged lists", run: () => scene.unchangedPolls() },
    { name: "bookings", run: () => scene.bookings() },
    { name: "push", run: () => scene.push() },
    { name: "while a listing is read", run: () => scene.whileReading(listing) },
  ];
}

interface SceneOptions extends ScaleOptions {
  readonly folder: string;
}

/** A running server and its clients. */
class Scene implements AsyncDisposable {
  readonly #store: Store;
  readonly #options: SceneOptions;
  readonly #chance = new Chance("guide-scale");
  #guide: GuideProcess;
  /** Bookings of an account so far. */
  readonly #booked = new Map<number, number>();

  private constructor(store: Store, options: SceneOptions, guide: GuideProcess) {
    this.#store = store;
    this.#options = options;
    this.#guide = guide;
  }

  static async open(store: Store, options: SceneOptions): Promise<Scene> {
    return new Scene(store, options, await started(store, options));
  }

  /** Full lists of accounts that take turns. */
  async changedPolls(): Promise<Measures> {
    return this.#measured((load) =>
      load.during(this.#ms, () => load.ask(this.#poll(this.#anybody()), [200])),
    );
  }

  /** Lists that their clients have already; the tags are those of their last polls. */
  async unchangedPolls(): Promise<Measures> {
    const tags: string[] = [];
    {
      using load = new Load(this.#guide.baseUrl, AT_ONCE);
      const accounts = Array.from(
        { length: Math.min(this.#options.accounts, ACCOUNTS_POLLED) },
        (_, nth) => nth + 1,
      );
      for (let at = 0; at < accounts.length; at += AT_ONCE) {
        const some = accounts.slice(at, at + AT_ONCE);
        const answers = await Promise.all(some.map((account) => load.ask(this.#poll(account), [200])));
        tags.push(...answers.map(({ headers }) => headers.etag ?? ""));
      }
    }
    return this.#measured((load) =>
      load.during(this.#ms, () => {
        const nth = this.#chance.below(tags.length);
        return load.ask(this.#poll(nth + 1, { "if-none-match": tags[nth] ?? "" }), [304]);
      }),
    );
  }

  async bookings(): Promise<Measures> {
    return this.#measured((load) => load.during(this.#ms, () => this.#book(load, this.#anybody())));
  }

  /** From the request of a booking to the event at the account's recorder. */
  async push(): Promise<Measures> {
    const { streams: wanted } = this.#options;
    using streams = new Streams(this.#guide.baseUrl);
    await streams.open(wanted);
    const found = await this.#measured((load) =>
      load.steadily({
        everyMs: SECOND / STEADY_PER_SECOND,
        until: AbortSignal.timeout(this.#ms),
        next: () => this.#pushTo(load, streams, wanted),
      }),
    );
    if (streams.lost > 0) throw new Error(`the guide server ended ${streams.lost} streams`);
    return { ...found, clients: count(wanted) };
  }

  /** Bookings, polls and events while the server reads a listing of 500,000 programmes. */
  async whileReading(listing: string): Promise<Measures> {
    await this.#guide.stop();
    this.#guide = await started(this.#store, this.#options, ["--xmltv", listing]);
    const isRead = new AbortController();
    const from = performance.now();
    void told(this.#guide.child, "listing read").then(() => isRead.abort());
    using streams = new Streams(this.#guide.baseUrl);
    const among = Math.min(this.#options.streams, STREAMS_WHILE_READING);
    await streams.open(among);
    using load = new Load(this.#guide.baseUrl, AT_ONCE);
    const order = { until: isRead.signal, everyMs: SECOND / STEADY_PER_SECOND };
    const [polls, pushes] = await Promise.all([
      load.steadily({ ...order, next: () => load.ask(this.#poll(this.#anybody()), [200]) }),
      load.steadily({ ...order, next: () => this.#pushTo(load, streams, among) }),
    ]);
    return {
      "polls, p50": ms(quantile(polls, 0.5)),
      "polls, p99": ms(quantile(polls, 0.99)),
      "push, p50": ms(quantile(pushes, 0.5)),
      "push, p99": ms(quantile(pushes, 0.99)),
      reading: ms(performance.now() - from),
      "peak memory": mib(memoryOf(this.#guide.child.pid ?? 0).peak),
      data: mib(await this.#store.bytes()),
    };
  }

  get #ms(): number {
    return this.#options.seconds * SECOND;
  }

  #anybody(): number {
    return 1 + this.#chance.below(this.#options.accounts);
  }

  #poll(account: number, headers: Readonly<Record<string, string>> = {}) {
    return { account, path: "/shows/timers", headers };
  }

  #book(load: Load, account: number): Promise<unknown> {
    const nth = (this.#booked.get(account) ?? TIMERS_OF_ACCOUNT) + 1;
    this.#booked.set(account, nth);
    const body = { show_id: showNumber(account, nth) + 1, device_id: deviceOf(account) };
    return load.ask({ method: "POST", account, path: "/shows/timers", body }, [201]);
  }

  async #pushTo(load: Load, streams: Streams, among: number): Promise<void> {
    const account = 1 + this.#chance.below(among);
    const heard = streams.heard(account);
    await Promise.all([this.#book(load, account), heard]);
  }

  /** Measures of requests: how many and how fast, and what each one costs. */
  async #measured(work: (load: Load) => Promise<readonly number[]>): Promise<Measures> {
    using load = new Load(this.#guide.baseUrl, AT_ONCE);
    const server = [this.#guide.child.pid ?? 0];
    const cost = () => ({ server: cpuMs(server), database: cpuMs(this.#store.pids()) });
    const before = cost();
    const from = performance.now();
    const times = await work(load);
    const took = performance.now() - from;
    const after = cost();
    return {
      requests: perSecond((SECOND * times.length) / took, "req"),
      p50: ms(quantile(times, 0.5)),
      p99: ms(quantile(times, 0.99)),
      "server, cpu": ms((after.server - before.server) / times.length),
      "database, cpu": ms((after.database - before.database) / times.length),
      memory: mib(memoryOf(server[0] ?? 0).now),
      "peak memory": mib(memoryOf(server[0] ?? 0).peak),
      data: mib(await this.#store.bytes()),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#guide.stop();
  }
}

function cpuMs(pids: readonly number[]): number {
  return pids.map((pid) => SECOND * cpuSecondsOf(pid)).reduce((sum, each) => sum + each, 0);
}

async function started(
  { args }: Store,
  { folder }: SceneOptions,
  more: readonly string[] = [],
): Promise<GuideProcess> {
  const guide = await startGuide([...args, ...more], { loop: join(folder, "loop.txt") });
  guide.child.stderr?.resume();
  return guide;
}
