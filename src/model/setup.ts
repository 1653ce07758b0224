import type { ErrorCode } from "./errors.ts";
import type { DurationMs } from "./time.ts";

/** The default port of a guide server (docs/guide-server.md), which setup proposes. */
export const OWN_GUIDE_PORT = 8437;
export const OWN_GUIDE_URL = `http://127.0.0.1:${OWN_GUIDE_PORT}`;

/** Characters of an invitation to a fleet; one with a hundred tuners is shorter. */
export const INVITATION_LENGTH = 48 * 1024;

/** A choice, by its id at the guide service. */
export interface SetupChoice {
  readonly id: number;
  readonly name: string;
}

/** A kind of tuner, as setup asks for one. */
export interface SetupKind {
  readonly kind: string;
  readonly name: string;
  /** Label and example of the field for its address. */
  readonly label: string;
  readonly example: string;
  readonly channelList: "required" | "optional" | "none";
  /** A kind without television, for trying recorderd. */
  readonly isSimulator?: true;
}

/** A tuner on the network or in the machine, with the address for its entry. */
export interface SetupOffer {
  readonly text: string;
  readonly kind: string;
  readonly place: string;
  /** It needs a channel list. */
  readonly wantsList: boolean;
}

/** The result of testing a tuner, as facts; the page has the words. `channels`: the number in the guide. */
export type SetupTrial =
  /** A channel was received; the tuner offers `received` of the guide's channels. */
  | {
      readonly result: "works";
      readonly channel: string;
      readonly afterMs: DurationMs;
      readonly received: number;
      readonly channels: number;
    }
  /** Its server asks for user and password. */
  | { readonly result: "sign-in-needed" }
  /** Its channel list has frequencies without triplets. */
  | { readonly result: "scan-needed"; readonly frequencies: number }
  /** It receives no channel of the guide; `examples` are names of its services. */
  | {
      readonly result: "other-channels";
      readonly channels: number;
      readonly services: number;
      readonly examples: readonly string[];
    }
  /** The channel came without picture and sound. */
  | { readonly result: "silent"; readonly channel: string }
  | {
      readonly result: "not-received";
      readonly channel: string;
      readonly code: ErrorCode;
      /** In English. */
      readonly text: string;
    }
  /** The test itself failed. */
  | { readonly result: "failed"; readonly code: ErrorCode; readonly text: string };

export interface SetupTuner {
  readonly id: string;
  readonly kind: string;
  /** Its address. */
  readonly place: string;
  readonly tried?: SetupTrial;
}

/** The answers so far, without secrets, and the possible answers. */
export interface SetupView {
  /** The configuration that will be written. */
  readonly file: string;
  readonly guide?: {
    readonly url: string;
    readonly regions: readonly SetupChoice[];
    /** The user who signed in. */
    readonly account?: string;
    readonly devices: readonly SetupChoice[];
    readonly regionId?: number;
    /** Absent: the timers of all devices. */
    readonly deviceId?: number;
  };
  /** The zone of times in messages (IANA name); absent: the machine's. */
  readonly timeZone?: string;
  /** In the order of the form. */
  readonly kinds: readonly SetupKind[];
  readonly offers?: readonly SetupOffer[];
  readonly tuners: readonly SetupTuner[];
  readonly recordings?: {
    readonly folder: string;
    readonly beforeSeconds: number;
    readonly afterSeconds: number;
    /** It is created at the end. */
    readonly isNew: boolean;
    readonly freeBytes: number;
  };
  /** The language of messages. */
  readonly language?: string;
  /**
   * The fleet that this recorder joins, its name there, unless that is the machine's, and the commands that the invitation brings
   * along.
   */
  readonly fleet?: {
    readonly database: string;
    readonly node?: string;
    readonly commands?: readonly string[];
  };
  /** Whether people must sign in, because of the address on which it listens. */
  readonly needsUser: boolean;
  /** The allowed user. */
  readonly user?: string;
  /** The open questions, in order; when none is left, the configuration can be written. */
  readonly missing: readonly SetupStep[];
}

/** Reasons why setup refuses an answer; the page has the words. */
export const SETUP_REFUSALS = [
  "address",
  "tuner",
  "tuner-password",
  "folder-path",
  "folder-system",
  "folder-file",
  "folder-new",
  "folder-forbidden",
  "folder-full",
  "written",
  "invitation",
  "fleet",
] as const;
export type SetupRefusal = (typeof SETUP_REFUSALS)[number];

export const SETUP_STEPS = ["guide", "recorder", "tuners", "recordings", "user"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];
