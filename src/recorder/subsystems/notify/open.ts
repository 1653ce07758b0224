import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { VERSION } from "../../../kit/version.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { NewsDocument } from "../../../model/news.ts";
import type { Snapshot } from "../../../model/snapshot.ts";
import type { PushApi } from "../../api/daemon-api.ts";
import type { LiveSecrets } from "../../config/live-secrets.ts";
import { readerOf } from "../../config/reader.ts";
import type { Config } from "../../config/schema.ts";
import type { DocumentStore } from "../../store/document-store.ts";
import type { StateStore } from "../../store/state-store.ts";
import { emptyNews, NEWS_VERSION, parseNews } from "./core/document.ts";
import { createNewsLoop, type NewsLoop, type Receiver } from "./loop.ts";
import { openPush, type PushService } from "./push/open.ts";
import { openTargets } from "./registry.ts";
import type { Target } from "./target.ts";

interface NotifyParts {
  readonly state: StateStore;
  readonly snapshot: () => Snapshot;
  readonly secrets: LiveSecrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly pushService?: PushService | undefined;
}

/** Sends notifications to people. */
export interface Notify extends NewsLoop, AsyncDisposable {
  readonly name: "notify";
  onCommit(): void;
  /** Browsers that receive notifications. */
  readonly push: PushApi;
}

/**
 * Opens the notifications, to the targets of the configuration and to browsers.
 *
 * @throws RecorderdError STORE_DAMAGED, STORE_TOO_NEW or FILE_UNREADABLE
 */
export async function openNotify(config: Config, parts: NotifyParts): Promise<Notify> {
  const { state, snapshot, secrets, clock, log, pushService } = parts;
  const store: DocumentStore<NewsDocument> = await state.openDocument("notify", {
    schemaVersion: NEWS_VERSION,
    parse: (stored, _past, version) => parseNews(stored, version),
    empty: () => emptyNews(clock.now()),
    onDamage: (text) => log.error(text),
  });
  const credentials = (id: string) => secrets.current.notify?.[id];
  const targets = openTargets(config.notify, { credentials, version: VERSION }).map((target) =>
    retryingRefusals(target, secrets),
  );
  const reader = readerOf(config);
  const configured = targets.flatMap((target, index): Receiver[] => {
    const { on } = config.notify[index] ?? {};
    return on === undefined ? [] : [{ target, on, reader }];
  });
  const push = await openPush({
    state,
    onChange: () => loop.wake(),
    clock,
    log,
    ...(pushService === undefined ? {} : { service: pushService }),
  });
  const receivers = () => [...configured, ...push.receivers()];
  const loop = createNewsLoop({ receivers, store, snapshot, clock, log });
  return {
    ...loop,
    name: "notify",
    onCommit: loop.wake,
    push: push.api,
    [Symbol.asyncDispose]: async () => {
      await push[Symbol.asyncDispose]();
      for (const target of targets) await target[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** A target refuses news without its password: such a refusal is retried while the secrets cannot be read. */
function retryingRefusals(target: Target, secrets: LiveSecrets): Target {
  return {
    ...target,
    send: (notification, signal) =>
      target.send(notification, signal).catch((error: unknown) => {
        const isRefused = error instanceof RecorderdError && error.code === "NOTIFY_REFUSED";
        if (!isRefused || secrets.trouble === undefined) throw error;
        throw new RecorderdError("NOTIFY_UNREACHABLE", error.message, error.facts, { cause: error });
      }),
  };
}
