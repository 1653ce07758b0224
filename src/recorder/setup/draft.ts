import { hashPassword } from "../../kit/http/password.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Channel } from "../../model/service.ts";
import type { SetupChoice, SetupOffer, SetupStep, SetupTrial, SetupView } from "../../model/setup.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Language } from "../../words/language.ts";
import { commandsIn } from "../config/commands.ts";
import { daemonIdentity } from "../config/identity.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import { checkConfig } from "../config/write.ts";
import {
  channelsAt,
  choiceOf,
  devicesAt,
  type GuideAnswers,
  newDevice,
  type RequestContext,
  regionsAt,
  signedIn,
} from "./guide-step.ts";
import type { Invitation } from "./invitation.ts";
import {
  answersIn,
  checkFleet,
  type FleetAnswer,
  type FleetEntry,
  fleetEntryOf,
  type OwnPart,
} from "./join-step.ts";
import { type RecordingsFolder, recordingsFolder, secondsOf } from "./recordings-step.ts";
import { invalidAnswer } from "./refusal.ts";
import { TunerAnswers, type TunerTrial } from "./tuner-answers.ts";
import { offers, SETUP_KINDS } from "./tuner-step.ts";
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
  order: TunerTrial & { readonly channels: readonly Channel[]; readonly guideUrl: string },
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

interface Recordings extends RecordingsFolder {
  readonly padding: { readonly beforeSeconds: number; readonly afterSeconds: number };
}

/**
 * The answers of a setup. Each answer is tried at once; files are written only when all are given. A new device is registered at
 * the service at once.
 */
export class SetupDraft {
  readonly #parts: DraftParts;
  #guide: GuideAnswers | undefined;
  #offers: readonly SetupOffer[] | undefined;
  readonly tuners: TunerAnswers;
  #recordings: Recordings | undefined;
  #language: Language | undefined;
  #user: { readonly name: string; readonly passwordHash: string } | undefined;
  #registered: SetupChoice | undefined;
  #fleet: FleetEntry | undefined;
  /** By which the fleet was joined: it has answers that setup does not ask for. */
  #invitation: Invitation | undefined;
  #timeZone: string | undefined;
  #written: Promise<readonly string[]> | undefined;

  constructor(parts: DraftParts) {
    this.#parts = parts;
    this.tuners = new TunerAnswers(parts.clock);
  }

  /** A different service resets its answers. @throws as regionsAt */
  async useGuide(
    where: { readonly url: string; readonly apiKey?: string | undefined },
    signal: AbortSignal,
  ): Promise<readonly SetupChoice[]> {
    const { service, regions } = await regionsAt(where, this.#asking(signal));
    this.#guide = { service, regions, devices: [] };
    this.#registered = undefined;
    this.#invitation = undefined;
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

  /** Tries to receive the guide's channels; a failure is a result too. */
  async tryTuner(id: string, tryIt: TryTuner, signal: AbortSignal): Promise<void> {
    const { service, scope } = this.#needGuide();
    if (scope === undefined) throw invalidAnswer("There is no region yet.");
    const asking = this.#asking(signal);
    await this.tuners.trial(id, async (tuner) => {
      const channels = await channelsAt(service, scope.regionId, asking);
      return await tryIt({ ...tuner, channels, guideUrl: service.url }, asking);
    });
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

  /** Makes this recorder a node of a fleet. @throws RecorderdError CONFIG_INVALID */
  async useFleet(answer: FleetAnswer): Promise<void> {
    this.#fleet = await fleetEntryOf(answer);
  }

  /**
   * Takes the answers from the invitation of a node; the tuners are those that every machine reaches.
   *
   * @throws as answersIn, and RecorderdError CONFIG_INVALID if the folder cannot hold recordings
   */
  async join(invitation: string, own: OwnPart, signal: AbortSignal): Promise<void> {
    const joined = await answersIn(invitation, own, this.#asking(signal));
    const { config, secrets } = joined.invitation;
    const { folder, padding } = config.recordings;
    this.#recordings = { ...(await this.folder(folder, signal)), padding };
    this.#language = config.language;
    this.#timeZone = config.timeZone;
    this.#guide = joined.guide;
    this.tuners.replace(joined.tuners, secrets.tuners ?? {});
    this.#fleet = joined.fleet;
    this.#invitation = joined.invitation;
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
      tuners: this.tuners.views(),
      ...(this.#recordings === undefined ? {} : recordingsView(this.#recordings)),
      ...(this.#fleet === undefined ? {} : { fleet: fleetView(this.#fleet, this.#invitation) }),
      needsUser,
      ...(this.#user === undefined ? {} : { user: this.#user.name }),
      missing: this.#missing(),
    };
  }

  #missing(): readonly SetupStep[] {
    const answered: Readonly<Record<SetupStep, boolean>> = {
      guide: this.#guide !== undefined,
      recorder: this.#guide?.scope !== undefined,
      tuners: this.tuners.entries.length > 0,
      recordings: this.#recordings !== undefined,
      user: !this.#parts.needsUser || this.#user !== undefined || this.#hasUsers,
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
    const others = this.#invitation?.keys;
    // All devices of the account have no deviceId.
    const { deviceId: _other, ...guide } = { ...others?.guide };
    return {
      ...others,
      guide: { ...guide, url: service.url, ...scope },
      recordings: {
        // File names tell the household's time; without this key they tell UTC.
        ...(others?.recordings ?? { nameTimeZone: this.#timeZone ?? systemZone() }),
        ...{ folder, padding },
      },
      tuners: this.tuners.entries,
      ...(this.#fleet === undefined ? {} : { fleet: this.#fleet.config }),
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
    const fleet = this.#fleet;
    if (fleet !== undefined) await checkFleet(fleet, checkConfig(config), this.#parts.clock);
    const { apiKey, account } = this.#guide?.service ?? NO_ACCOUNT;
    const user = this.#user;
    const { web, notify } = this.#invitation?.secrets ?? {};
    return writeSetup(place, {
      config,
      secrets: {
        apiKey,
        ...withoutUndefined({ web, notify, fleet: fleet?.secrets }),
        ...withoutUndefined({ account, user }),
        ...withoutUndefined({ tuners: this.tuners.credentials }),
      },
    });
  }

  get #hasUsers(): boolean {
    return (this.#invitation?.secrets.web?.users ?? []).length > 0;
  }

  get isSignedIn(): boolean {
    return this.#guide?.service.account !== undefined;
  }

  #needGuide(): GuideAnswers {
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

function fleetView(
  { config: { database, node } }: FleetEntry,
  invitation: Invitation | undefined,
): NonNullable<SetupView["fleet"]> {
  const commands = invitation === undefined ? [] : commandsIn(invitation.config);
  return { database, ...withoutUndefined({ node }), ...(commands.length === 0 ? {} : { commands }) };
}
