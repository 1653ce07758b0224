import type { z } from "zod";
import { hostOf } from "../../kit/net/host-of.ts";
import type { ErrorCode } from "../../model/errors.ts";
import type { TunerDriver } from "../../model/ports.ts";
import { type SourceShape, schemeOf } from "../../model/source.ts";
import type { Scanned } from "./scanned.ts";
import type { TunerParts } from "./server.ts";

/** One checked tuner entry of the configuration. Only its kind knows its other keys. */
export interface TunerConfig {
  readonly kind: string;
  readonly id: string;
}

export type OpenParts = TunerParts & { readonly scanned: Scanned };

/** An unchecked entry. */
export type EntryKeys = Readonly<Record<string, unknown>>;

/** The address field of a tuner in setup, one line of text. */
export interface AddressField {
  readonly label: string;
  readonly example: string;
  readonly parse: (text: string) => EntryKeys;
  readonly format: (entry: EntryKeys) => string;
  /** Whether the kind takes a `channelList` besides its address. */
  readonly channelList: "required" | "optional" | "none";
}

/** The address where servers of a kind receive discovery requests. */
export interface DiscoveryTarget {
  readonly address: string;
  readonly port: number;
}

/** A server's answer to a discovery request. */
export interface ServerAnswer {
  /** In the form that `recorderd tuners discover` prints. */
  readonly address: string;
  readonly tuners?: number;
  /** The name that the server reports. */
  readonly name: string;
}

/** Discovery of a kind's servers: a datagram to a group or a broadcast address. */
export interface Discovery {
  readonly target: DiscoveryTarget;
  readonly question: (target: DiscoveryTarget) => Buffer;
  /** @returns `undefined` for a datagram that is no such answer */
  readonly read: (datagram: Buffer) => ServerAnswer | undefined;
  /** Completes the sentence "recorderd asks for …". */
  readonly servers: string;
  /** Text for the address field. */
  readonly fieldText: (server: ServerAnswer) => string;
}

/** A device of this machine, for setup. */
export interface PresentDevice {
  readonly text: string;
  /** Text for the address field. */
  readonly address: string;
}

/** A program that tuners of the kind need, but captures do not. */
export interface TunerProgram {
  readonly command: string;
  /** Completes the sentence "dvblast, which …". */
  readonly purpose: string;
  readonly install: string;
}

/**
 * Everything that recorderd knows about one kind of tuner. `registry.ts` lists the kinds; no other file names one.
 * Members that take a configuration are methods, because the compiler would reject a list of kinds with different property types.
 */
export interface TunerKind<Config extends TunerConfig = TunerConfig> {
  readonly kind: Config["kind"];
  /** For people. */
  readonly name: string;
  readonly schema: z.ZodType<Config> & z.core.$ZodTypeDiscriminable;
  /** @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN for a file named in the configuration */
  open(config: Config, parts: OpenParts): Promise<readonly TunerDriver[]>;
  /** The shapes of the sources that its drivers return. */
  sources(config: Config): readonly SourceShape[];
  /** Names and addresses of the servers that it needs. */
  hosts(config: Config): readonly string[];
  /** A kind without television, for trying recorderd. */
  readonly isSimulator?: true;
  /** Absent if entries are written by hand. */
  readonly address?: AddressField;
  /** Reads the files named in the entry, before setup accepts it. @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN */
  check?(config: Config): Promise<void>;
  /** How to find servers of the kind on the network. */
  readonly discovery?: Discovery;
  /** Devices of the kind in this machine. */
  present?(): Promise<readonly PresentDevice[]>;
  /** Its servers may ask for user and password. */
  readonly hasUsers?: true;
  readonly program?: TunerProgram;
  /** The DVB card that the tuner opens, if any. */
  card?(config: Config): { readonly adapter: number; readonly frontend: number } | undefined;
  /** The same tuner with the lowest priority on its server. Absent if such servers have no priorities. */
  yielding?(config: Config): Config;
  /** The reason why the entry conflicts with earlier ones of its kind. */
  clash?(
    config: Config,
    earlier: readonly Config[],
  ): { readonly key: string; readonly message: string } | undefined;
  /** A list in the entry, and the key of the secret address in each item. Backups omit the address's path. */
  readonly secretAddress?: { readonly list: string; readonly key: string };
  /** Advice for failures; `recorderd doctor` has advice for all other codes. */
  readonly advice?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** How to keep the event tables where ffmpeg would drop them: a sentence. */
  readonly keepsEventsWith?: string;
}

/** The address field of a kind that stores the address as text under `key`. */
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

/** The sources of a server that sends each service alone, below its address. */
export function httpServices(address: string): readonly SourceShape[] {
  return [{ scheme: schemeOf(address) ?? "http", programme: "single" }];
}

/** The sources and hosts of a server that sends each service alone, below the HTTP address in its field `address`. */
export const atHttpAddress = {
  sources: ({ address }: { readonly address: string }) => httpServices(address),
  hosts: ({ address }: { readonly address: string }) => [hostOf(address)],
} as const;
