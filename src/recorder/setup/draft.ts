import type { Credentials } from "../../kit/http/http-auth.ts";
import { hashPassword } from "../../kit/http/password.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Channel } from "../../model/service.ts";
import type { SetupChoice, SetupOffer, SetupStep, SetupTrial, SetupView } from "../../model/setup.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Language } from "../../words/language.ts";
import { daemonIdentity } from "../config/identity.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import {
  channelsAt,
  choiceOf,
  devicesAt,
  type GuideService,
  newDevice,
  type RequestContext,
  regionsAt,
  signedIn,
} from "./guide-step.ts";
import { type RecordingsFolder, recordingsFolder, secondsOf } from "./recordings-step.ts";
import { invalidAnswer } from "./refusal.ts";
import { wantsSignIn } from "./tuner-sign-in.ts";
import { offers, placeText, SETUP_KINDS, type TunerAnswer, type TunerEntry, tunerOf } from "./tuner-step.ts";
import { isUnconfigured, SERVICE, type SetupPlace, writeSetup } from "./write-step.ts";

export const DEFAULT_DATA = "/var/lib/recorderd";
/** Choices for the device. */
export const NEW = "new";
export const ALL = "all";

/** Address of the dashboard and the API. */
export interface WebPlace {
  readonly host: string;
  readonly port: number;
}

export type TryTuner = (
  order: {
    readonly entry: TunerEntry;
    readonly credentials: Credentials | undefined;
    readonly channels: readonly Channel[];
    readonly guideUrl: string;
  },
  asking: RequestContext,
) => Promise<SetupTrial>;

interface DraftParts {
  readonly place: SetupPlace;
  readonly web: WebPlace;
  readonly socket?: string | undefined;
  /** People must sign in there, so a user is needed. */
  readonly needsUser: boolean;
  /** Whether an existing configuration may be replaced. */
  readonly replaces: boolean;
  readonly clock: Clock;
}

interface Guide {
  readonly service: GuideService;
  readonly regions: readonly SetupChoice[];
  readonly devices: readonly SetupChoice[];
  readonly scope?: { readonly regionId: number; readonly deviceId?: number };
}

interface Recordings extends RecordingsFolder {
  readonly padding: { readonly beforeSeconds: number; readonly afterSeconds: number };
}

/**
 * The answers of a setup. Each answer is tried at once; files are written only when all are given. A new device is registered at
 * the service at once.
 */
export class SetupDraft {
  readonly #parts: DraftParts;
  #guide: Guide | undefined;
  #offers: readonly SetupOffer[] | undefined;
  #tuners: readonly TunerEntry[] = [];
  /** User and password of each tuner's server. */
  readonly #signIns = new Map<string, Credentials>();
  readonly #tried = new Map<string, SetupTrial>();
  #recordings: Recordings | undefined;
  #language: Language | undefined;
  #user: { readonly name: string; readonly passwordHash: string } | undefined;
  #registered: SetupChoice | undefined;
  #timeZone: string | undefined;
  #written: Promise<readonly string[]> | undefined;

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  /** A different service resets its answers. @throws as regionsAt */
  async useGuide(
    where: { readonly url: string; readonly apiKey?: string | undefined },
    signal: AbortSignal,
  ): Promise<readonly SetupChoice[]> {
    const { service, regions } = await regionsAt(where, this.#asking(signal));
    this.#guide = { service, regions, devices: [] };
    this.#registered = undefined;
    return regions;
  }

  /** @throws RecorderdError GUIDE_SIGN_IN_NEEDED if the password is wrong, and other errors of the client */
  async signIn(
    who: { readonly email: string; readonly password: string },
    signal: AbortSignal,
  ): Promise<readonly SetupChoice[]> {
    const guide = this.#needGuide();
    const service = await signedIn(guide.service, who, this.#asking(signal));
    const devices = await devicesAt(service, this.#asking(signal));
    this.#guide = { regions: guide.regions, service, devices };
    return devices;
  }

  region(text: string): number {
    return choiceOf(this.#needGuide().regions, text, "region");
  }

  /** @param device its number, `new` or `all`; accounts exist only after sign-in */
  async useRecorder(
    { region, device }: { readonly region: string; readonly device: string },
    signal: AbortSignal,
  ): Promise<void> {
    const regionId = this.region(region);
    const deviceId = await this.#deviceOf(device, signal);
    const scope = { regionId, ...(deviceId === undefined ? {} : { deviceId }) };
    this.#guide = { ...this.#needGuide(), scope };
  }

  /** @param timeZone IANA name */
  useTimeZone(timeZone: string): void {
    this.#timeZone = timeZone;
  }

  async #deviceOf(text: string, signal: AbortSignal): Promise<number | undefined> {
    const guide = this.#needGuide();
    if (text === ALL || guide.service.account === undefined) return undefined;
    if (text !== NEW) return choiceOf(guide.devices, text, "device");
    if (this.#registered === undefined) {
      this.#registered = await newDevice(guide.service, this.#asking(signal));
      this.#guide = { ...guide, devices: [...guide.devices, this.#registered] };
    }
    return this.#registered.id;
  }

  async look(signal: AbortSignal): Promise<readonly SetupOffer[]> {
    this.#offers = await offers(this.#asking(signal));
    return this.#offers;
  }

  /** @returns the tuner's id */
  async addTuner(words: TunerAnswer | object): Promise<string> {
    const entry = await tunerOf(words, this.#tuners);
    if (this.#tuners.some(({ id }) => id === entry.id))
      throw invalidAnswer(`A tuner ${entry.id} already exists.`, "tuner");
    this.#tuners = [...this.#tuners, entry];
    return entry.id;
  }

  removeTuner(id: string): void {
    this.#tuners = this.#tuners.filter((entry) => entry.id !== id);
    this.#tried.delete(id);
    this.#signIns.delete(id);
  }

  /** Whether a tuner's server asks for user and password, and has no valid ones yet. */
  wantsSignIn(id: string, signal: AbortSignal): Promise<boolean> {
    return wantsSignIn({ entry: this.#tuner(id), credentials: this.#signIns.get(id) }, this.#asking(signal));
  }

  /**
   * Tries credentials at the tuner's server, and stores them for the secrets. @throws RecorderdError CONFIG_INVALID if the server
   * rejects them
   */
  async signInTuner(id: string, credentials: Credentials, signal: AbortSignal): Promise<void> {
    const entry = this.#tuner(id);
    if (await wantsSignIn({ entry, credentials }, this.#asking(signal)))
      throw invalidAnswer(`${placeText(entry)} rejects this user or password.`, "tuner-password");
    this.#signIns.set(id, credentials);
  }

  #tuner(id: string): TunerEntry {
    const entry = this.#tuners.find((one) => one.id === id);
    if (entry === undefined) throw invalidAnswer(`There is no tuner ${id}.`);
    return entry;
  }

  /** Tries to receive the guide's channels; a failure is a result too. */
  async tryTuner(id: string, tryIt: TryTuner, signal: AbortSignal): Promise<void> {
    const entry = this.#tuners.find((one) => one.id === id);
    const { service, scope } = this.#needGuide();
    if (entry === undefined || scope === undefined)
      throw invalidAnswer("There is no such tuner, or no region yet.");
    const asking = this.#asking(signal);
    try {
      const channels = await channelsAt(service, scope.regionId, asking);
      this.#tried.set(
        id,
        await tryIt({ entry, credentials: this.#signIns.get(id), channels, guideUrl: service.url }, asking),
      );
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      this.#tried.set(id, { result: "failed", code: error.code, text: error.message });
    }
  }

  /** @throws RecorderdError CONFIG_INVALID if the folder cannot hold recordings */
  async folder(folder: string, signal: AbortSignal): Promise<RecordingsFolder> {
    const { data } = this.#parts.place;
    const unitUser = data === DEFAULT_DATA ? SERVICE : undefined;
    return recordingsFolder(folder, await daemonIdentity({ dataFolder: data, unitUser }, signal));
  }

  async useRecordings(
    { folder, before, after }: { readonly folder: string; readonly before: string; readonly after: string },
    signal: AbortSignal,
  ): Promise<void> {
    const padding = { beforeSeconds: secondsOf(before), afterSeconds: secondsOf(after) };
    this.#recordings = { ...(await this.folder(folder, signal)), padding };
  }

  /** The language of messages. */
  useLanguage(language: Language): void {
    this.#language = language;
  }

  async useUser(name: string, password: string): Promise<void> {
    this.#user = { name, passwordHash: await hashPassword(password) };
  }

  view(): SetupView {
    const { place, needsUser } = this.#parts;
    const { service, regions = [], devices = [], scope } = this.#guide ?? {};
    const email = service?.account?.email;
    return {
      file: place.file,
      ...(service === undefined
        ? {}
        : {
            guide: {
              url: service.url,
              regions,
              devices,
              ...(email === undefined ? {} : { account: email }),
              ...scope,
            },
          }),
      ...withoutUndefined({ language: this.#language, timeZone: this.#timeZone }),
      kinds: SETUP_KINDS,
      ...(this.#offers === undefined ? {} : { offers: this.#offers }),
      tuners: this.#tuners.map((entry) => {
        const tried = this.#tried.get(entry.id);
        const { id, kind } = entry;
        return { id, kind, place: placeText(entry), ...(tried === undefined ? {} : { tried }) };
      }),
      ...(this.#recordings === undefined ? {} : recordingsView(this.#recordings)),
      needsUser,
      ...(this.#user === undefined ? {} : { user: this.#user.name }),
      missing: this.#missing(),
    };
  }

  #missing(): readonly SetupStep[] {
    const answered: Readonly<Record<SetupStep, boolean>> = {
      guide: this.#guide !== undefined,
      recorder: this.#guide?.scope !== undefined,
      tuners: this.#tuners.length > 0,
      recordings: this.#recordings !== undefined,
      user: !this.#parts.needsUser || this.#user !== undefined,
    };
    return (Object.keys(answered) as SetupStep[]).filter((step) => !answered[step]);
  }

  /** The configuration from the answers. @throws RecorderdError CONFIG_INVALID if some are missing */
  config(): object {
    const { service, scope } = this.#guide ?? {};
    const { folder, padding } = this.#recordings ?? {};
    if (service === undefined || scope === undefined || folder === undefined || this.#missing().length > 0) {
      throw invalidAnswer(`Some answers are missing: ${this.#missing().join(", ")}.`);
    }
    const { place, socket, web } = this.#parts;
    const { host, port } = web;
    return {
      guide: { url: service.url, ...scope },
      // File names tell the household's time; without this key they tell UTC.
      recordings: { folder, padding, nameTimeZone: this.#timeZone ?? systemZone() },
      tuners: this.#tuners,
      // Written although it is the default: it shows where to change address and port.
      web: { host, port },
      ...withoutUndefined({ language: this.#language, timeZone: this.#timeZone }),
      ...(place.data === DEFAULT_DATA ? {} : { data: { folder: place.data } }),
      ...(socket === undefined ? {} : { control: { socket } }),
    };
  }

  /**
   * Writes everything; further calls share the first one's result.
   *
   * @returns the folders created
   * @throws RecorderdError CONFIG_INVALID if an answer is missing or a configuration appeared meanwhile; others as writeSetup
   */
  async write(): Promise<readonly string[]> {
    const config = this.config();
    this.#written ??= this.#write(config);
    try {
      return await this.#written;
    } catch (error) {
      this.#written = undefined;
      throw error;
    }
  }

  async #write(config: object): Promise<readonly string[]> {
    const { place, replaces } = this.#parts;
    if (!replaces && !(await isUnconfigured(place.file))) {
      throw invalidAnswer(`${place.file} already exists: it was not changed.`, "written");
    }
    const { apiKey, account } = this.#guide?.service ?? NO_ACCOUNT;
    const user = this.#user;
    return writeSetup(place, {
      config,
      secrets: {
        apiKey,
        ...withoutUndefined({ account, user }),
        ...(this.#signIns.size === 0 ? {} : { tuners: Object.fromEntries(this.#signIns) }),
      },
    });
  }

  get isSignedIn(): boolean {
    return this.#guide?.service.account !== undefined;
  }

  #needGuide(): Guide {
    if (this.#guide === undefined) throw invalidAnswer("First enter the address of the guide service.");
    return this.#guide;
  }

  #asking(signal: AbortSignal): RequestContext {
    return { clock: this.#parts.clock, signal };
  }
}

function recordingsView({ folder, isNew, freeBytes, padding }: Recordings): Pick<SetupView, "recordings"> {
  return { recordings: { folder, isNew, freeBytes, ...padding } };
}
