import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCode } from "../../kit/http/password.ts";
import { type Log, silentLog } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { matchServices } from "../../model/channel-match.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { ProbeReport } from "../../model/probe.ts";
import { reachOf } from "../../model/reach.ts";
import type { SetupTrial } from "../../model/setup.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";
import { openHttpListener } from "../../web/listener/http-listener.ts";
import { OneTimeLinks } from "../../web/listener/one-time-links.ts";
import { DASHBOARD } from "../../web/listener/static.ts";
import { setupApi } from "../api/routes.ts";
import type { SetupApi } from "../api/setup-routes.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import { writeSecrets } from "../config/secrets.ts";
import { checkConfig } from "../config/write.ts";
import { probeAlone } from "../subsystems/probe/probe.ts";
import { openTuners } from "../tune/registry.ts";
import { SetupDraft, type TryTuner, type WebPlace } from "./draft.ts";
import { wantsSignIn } from "./tuner-sign-in.ts";
import type { SetupPlace } from "./write-step.ts";

interface SetupOrder {
  readonly place: SetupPlace;
  readonly socket?: string | undefined;
  /** Address of the setup page, and later of the recorder. */
  readonly web: WebPlace;
}

/** The setup page. Disposing it frees the address for the recorder. */
export interface SetupListener extends AsyncDisposable {
  readonly port: number;
  /** A link that signs in once; its key is short enough to type. */
  readonly link: string;
  /** Resolves when the configuration is written. @throws the signal's reason if it is aborted first */
  finished(): Promise<void>;
}

/**
 * Serves only the setup page (docs/dev/decisions/0022-setup-in-a-browser.md).
 *
 * @throws RecorderdError ADDRESS_IN_USE
 */
export async function openSetup(
  { place, socket, web }: SetupOrder,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<SetupListener> {
  const { host } = web;
  let port: number | undefined;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const draft = new SetupDraft({
    place,
    web: {
      host,
      get port() {
        return port ?? web.port;
      },
    },
    socket,
    needsUser: true,
    replaces: false,
    clock,
  });
  const face = faceOf(draft, { finish, signal });
  const listener = await openHttpListener(
    { host, port: web.port, names: [], signIn: "always", trustedProxies: [] },
    {
      routes: (entrance) => setupApi(face, entrance),
      secrets: () => ({}),
      links: new OneTimeLinks({ clock, newKey: newCode }),
      folder: DASHBOARD,
      clock,
      log,
    },
  );
  port = listener.port;
  const link = listener.link();
  if (port === undefined || link === undefined) {
    const text = `Cannot listen on ${host} port ${web.port}: stop the program that listens there, or choose another address.`;
    throw new RecorderdError("ADDRESS_IN_USE", text, { host, port: web.port });
  }
  return {
    port,
    link,
    finished: async () => {
      const ended = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      signal.throwIfAborted();
      await Promise.race([finished, ended]);
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

function faceOf(
  draft: SetupDraft,
  { finish, signal }: { readonly finish: () => void; readonly signal: AbortSignal },
): SetupApi {
  return {
    view: () => draft.view(),
    guide: async ({ url, apiKey, email, password }) => {
      await draft.useGuide({ url, apiKey }, signal);
      if (email !== undefined) await draft.signIn({ email, password: password ?? "" }, signal);
    },
    join: ({ invitation, ...own }) => draft.join(invitation, own, signal),
    fleet: (joined) => draft.useFleet(joined),
    recorder: async ({ language, timeZone, ...choice }) => {
      await draft.useRecorder(choice, signal);
      if (language !== undefined) draft.useLanguage(language);
      if (timeZone !== undefined) draft.useTimeZone(timeZone);
    },
    look: async () => void (await draft.look(signal)),
    addTuner: async (words) => void (await draft.tuners.add(words)),
    tryTuner: (id) => draft.tryTuner(id, tryTuner, signal),
    signInTuner: async (id, who) => {
      await draft.tuners.signIn(id, who, signal);
      await draft.tryTuner(id, tryTuner, signal);
    },
    removeTuner: async (id) => draft.tuners.remove(id),
    recordings: (wanted) => draft.useRecordings(wanted, signal),
    user: (name, password) => draft.useUser(name, password),
    finish: async () => {
      await draft.write();
      finish();
    },
  };
}

/** Uses the tuner as the recorder would, with temporary files: lists its channels, and receives the first one for some seconds. */
const tryTuner: TryTuner = async ({ entry, credentials, channels, guideUrl }, { clock, signal }) => {
  if (await wantsSignIn({ entry, credentials }, { clock, signal })) {
    return { result: "sign-in-needed" };
  }
  const folder = await mkdtemp(join(tmpdir(), "recorderd-setup-"));
  try {
    const config = checkConfig({
      guide: { url: guideUrl, regionId: 1 },
      recordings: { folder },
      tuners: [entry],
      data: { folder },
    });
    const parts = { clock, log: silentLog, folder, credentials: () => credentials };
    const drivers = await openTuners(config.tuners, parts);
    const facts = drivers.map((driver) => driver.facts);
    const matched = matchServices(channels, {
      services: facts.flatMap(({ offers = [] }) => offers),
      assigned: new Map(),
      isReceived: (service) => facts.some((tuner) => canReceive(tuner, service)),
    });
    const reached = reachOf(matched, facts).filter(({ service }) => service !== undefined);
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
    const [first] = reached;
    if (first?.service === undefined) {
      return noneReceived(channels.length, facts);
    }
    // The probe reads the secrets file like the recorder; the private folder is removed at once.
    if (credentials !== undefined)
      await writeSecrets(folder, { ...NO_ACCOUNT, tuners: { [entry.id]: credentials } });
    const report = await probeAlone(config, { service: first.service }, { clock, log: silentLog, signal });
    const counts = { received: reached.length, channels: channels.length };
    return trialOf(report, { channel: first.name, ...counts });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

function noneReceived(channels: number, tuners: readonly TunerFacts[]): SetupTrial {
  const frequencies = Math.max(0, ...tuners.map((tuner) => tuner.unknown?.length ?? 0));
  if (frequencies > 0) return { result: "scan-needed", frequencies };
  const offered = tuners
    .flatMap(({ offers = [] }) => offers.map(({ name }) => name))
    .filter((name) => name !== "");
  const examples = [...new Set(offered)].slice(0, 3);
  return { result: "other-channels", channels, services: offered.length, examples };
}

function trialOf(
  { payloadMs, failure }: ProbeReport,
  { channel, ...counts }: { readonly channel: string; readonly received: number; readonly channels: number },
): SetupTrial {
  if (failure !== undefined) return { result: "not-received", channel, ...failure };
  if (payloadMs === undefined) return { result: "silent", channel };
  return { result: "works", channel, afterMs: payloadMs, ...counts };
}
