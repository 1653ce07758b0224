import type { z } from "zod";
import type { ErrorCode } from "../../model/errors.ts";
import type { TunerDriver } from "../../model/ports.ts";
import { type SourceShape, schemeOf } from "../../model/source.ts";
import type { Scanned } from "./scanned.ts";
import type { TunerParts } from "./server.ts";

/** One checked entry of the configuration's tuners. Its other keys are known to its kind alone. */
export interface TunerConfig {
  readonly kind: string;
  readonly id: string;
}

export type OpenParts = TunerParts & { readonly scanned: Scanned };

/** An entry before it is checked. */
export type EntryKeys = Readonly<Record<string, unknown>>;

/** How setup asks for the address of a tuner, in one line of text. */
export interface AddressField {
  readonly label: string;
  readonly example: string;
  readonly parse: (text: string) => EntryKeys;
  readonly format: (entry: EntryKeys) => string;
  /** Whether the kind takes a `channelList` beside its address. */
  readonly channelList: "required" | "optional" | "none";
}

/** Where servers of a kind hear questions. */
export interface DiscoveryTarget {
  readonly address: string;
  readonly port: number;
}

/** A server as it answered on the network. */
export interface ServerAnswer {
  /** As `recorderd tuners discover` prints it. */
  readonly address: string;
  readonly tuners?: number;
  /** As the server calls itself. */
  readonly name: string;
}

/** How servers of a kind are found: by a datagram to a group or a broadcast address. */
export interface Discovery {
  readonly target: DiscoveryTarget;
  readonly question: (target: DiscoveryTarget) => Buffer;
  /** @returns `undefined` for a datagram that is no answer of such a server */
  readonly read: (datagram: Buffer) => ServerAnswer | undefined;
  /** Completes "recorderd asks for …". */
  readonly servers: string;
  /** Text for the address field. */
  readonly fieldText: (server: ServerAnswer) => string;
}

/** A device of this machine, as setup offers it. */
export interface PresentDevice {
  readonly text: string;
  /** Text for the address field. */
  readonly address: string;
}

/** A program that captures do not need, but tuners of the kind do. */
export interface TunerProgram {
  readonly command: string;
  /** Completes "dvblast, which …". */
  readonly purpose: string;
  readonly install: string;
}

/**
 * All that recorderd knows of one kind of tuner. `registry.ts` lists the kinds, and nothing else names one.
 * What takes a configuration is a method, because the compiler would not put properties of different kinds into one list.
 */
export interface TunerKind<Config extends TunerConfig = TunerConfig> {
  readonly kind: Config["kind"];
  /** For people. */
  readonly name: string;
  readonly schema: z.ZodType<Config> & z.core.$ZodTypeDiscriminable;
  /** @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN of a file that the configuration names */
  open(config: Config, parts: OpenParts): Promise<readonly TunerDriver[]>;
  /** The shapes of the sources that its drivers hand out. */
  sources(config: Config): readonly SourceShape[];
  /** Names and addresses of the servers that it needs. */
  hosts(config: Config): readonly string[];
  /** Absent where people write the entry by hand. */
  readonly address?: AddressField;
  /** Reads the files that the entry names, before setup takes it. @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN */
  check?(config: Config): Promise<void>;
  /** How servers of the kind are found on the network. */
  readonly discovery?: Discovery;
  /** Devices of the kind in this machine. */
  present?(): Promise<readonly PresentDevice[]>;
  /** Its servers may ask for user and password. */
  readonly hasUsers?: true;
  readonly program?: TunerProgram;
  /** The DVB card that the tuner opens, where it opens one. */
  card?(config: Config): { readonly adapter: number; readonly frontend: number } | undefined;
  /** The same tuner with the lowest priority on its server. Absent where servers of the kind know no priorities. */
  yielding?(config: Config): Config;
  /** Why the entry cannot stand beside earlier ones of its kind. */
  clash?(
    config: Config,
    earlier: readonly Config[],
  ): { readonly key: string; readonly message: string } | undefined;
  /** A list in the entry, and the key in each of its items whose address lets in whoever knows it. Backups leave its path out. */
  readonly secretAddress?: { readonly list: string; readonly key: string };
  /** What a person can do about a failure; `recorderd doctor` has advice for all other codes. */
  readonly advice?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** What keeps the event tables where ffmpeg would drop them: a sentence. */
  readonly keepsEventsWith?: string;
}

/** The address field of a kind whose entry has the address as text under `key`. */
export function addressAt(
  key: string,
  {
    label,
    example,
    channelList = "none",
  }: Pick<AddressField, "label" | "example"> & Partial<Pick<AddressField, "channelList">>,
): AddressField {
  return {
    label,
    example,
    channelList,
    parse: (text) => ({ [key]: text }),
    format: (entry) => String(entry[key] ?? ""),
  };
}

/** The host of an address, without the brackets of IPv6. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

/** The sources of a server that sends each service alone, below its address. */
export function httpServices(address: string): readonly SourceShape[] {
  return [{ scheme: schemeOf(address) ?? "http", programme: "single" }];
}
