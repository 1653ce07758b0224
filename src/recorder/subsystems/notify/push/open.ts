import { createHttpClient, type HttpClient } from "../../../../kit/http/http.ts";
import type { Log } from "../../../../kit/log.ts";
import { type Clock, withDeadline } from "../../../../kit/time/clock.ts";
import { Turns } from "../../../../kit/time/turns.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { DEFAULT_NEWS } from "../../../../model/news.ts";
import { loadReader } from "../../../../words/load-reader.ts";
import type { PushApi } from "../../../api/daemon-api.ts";
import type { StateStore } from "../../../store/state-store.ts";
import type { Receiver } from "../loop.ts";
import { worded } from "../wording.ts";
import { type Browser, type Push, pushFile } from "./file.ts";
import { PUSH_LIMITS } from "./limits.ts";
import { type IsPushService, isPushService } from "./services.ts";
import { pushTarget, pushTargetId } from "./target.ts";

export interface PushParts {
  readonly state: Pick<StateStore, "text">;
  /** A browser came, or left. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Tests have a push service of their own. */
  readonly service?: PushService;
}

/** How push services are reached. */
export interface PushService {
  readonly http: HttpClient;
  readonly isPushService: IsPushService;
}

/** Notifications to browsers that asked for them. */
export interface PushPart extends AsyncDisposable {
  readonly api: PushApi;
  receivers(): readonly Receiver[];
}

export async function openPush({ state, onChange, clock, log, ...parts }: PushParts): Promise<PushPart> {
  const { http, isPushService: isService } = parts.service ?? { http: createHttpClient(), isPushService };
  const file = pushFile(state);
  let push = await file.read().catch((error: unknown) => {
    if (!(error instanceof RecorderdError)) throw error;
    // No notification is worth a recording: the browsers can ask again.
    log.warn("the list of browsers that receive notifications cannot be read; no browser is notified", {
      text: error.message,
    });
    return undefined;
  });
  let receivers: readonly Receiver[] = [];
  const changes = new Turns();
  const closing = new AbortController();

  /** One change at a time; the first one makes the recorder's key. */
  function change(make: (push: Push) => Push): Promise<Push> {
    return changes.run(async () => {
      const next = make(push ?? { keys: await newKeys(), browsers: [] });
      if (next !== push) {
        await file.write(next);
        use(next);
        onChange();
      }
      return next;
    });
  }

  function use(next: Push): void {
    push = next;
    receivers = next.browsers.map((browser) => receiverOf(browser, next.keys));
  }

  const without = (endpoint: string) => (known: Push) => ({
    ...known,
    browsers: known.browsers.filter((browser) => browser.endpoint !== endpoint),
  });

  function receiverOf(browser: Browser, keys: Push["keys"]): Receiver {
    const { endpoint, language, timeZone, addedAt } = browser;
    const onGone = async () => {
      log.info("a browser no longer receives notifications", { target: pushTargetId(browser) });
      await change(without(endpoint));
    };
    return {
      target: pushTarget({ browser, keys, http, onGone }),
      on: DEFAULT_NEWS,
      since: addedAt,
      reader: () => loadReader({ language, timeZone }),
    };
  }

  /** A person who turns notifications on sees one at once, or learns why there is none. */
  async function test({ target, reader }: Receiver): Promise<void> {
    const at = clock.now();
    const news = { id: `test-${at}`, kind: "test", at, facts: { is: "test" } } as const;
    const notification = worded(news, { reader: await reader(), now: at });
    const timeoutError = () =>
      new RecorderdError("NOTIFY_UNREACHABLE", "The browser's push service: no answer in time.");
    await withDeadline(clock, { ms: PUSH_LIMITS.testMs, signal: closing.signal, timeoutError }, (both) =>
      target.send(notification, both),
    );
  }

  if (push !== undefined) use(push);
  const keys = async () => (await change((known) => known)).keys;
  return {
    receivers: () => receivers,
    api: {
      publicKey: async () => (await keys()).publicKey,
      add: async (order) => {
        if (!isService(new URL(order.endpoint)))
          throw new RecorderdError(
            "NOTIFY_REFUSED",
            "The address does not belong to a push service that the recorder knows: those of Apple, Google, Microsoft and Mozilla.",
          );
        const own = await keys();
        const known = push?.browsers.find(({ endpoint }) => endpoint === order.endpoint);
        const browser = { ...order, addedAt: known?.addedAt ?? clock.now() };
        if (known === undefined) await test(receiverOf(browser, own));
        await change((latest) => {
          const others = without(browser.endpoint)(latest).browsers;
          return { ...latest, browsers: [...others, browser].slice(-PUSH_LIMITS.browsers) };
        });
      },
      remove: async (endpoint) => void (await change(without(endpoint))),
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort(new Error("the recorder ends"));
      await http.close();
    },
  };
}

async function newKeys(): Promise<Push["keys"]> {
  const { default: webPush } = await import("web-push");
  return webPush.generateVAPIDKeys();
}
