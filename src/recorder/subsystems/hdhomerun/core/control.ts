import type { LineupChannel } from "./lineup.ts";
import { formatPacket, numberIn, PACKET, parsePacket, TAG, textField, textIn } from "./packet.ts";

/** A request to read a variable of the device, or to set it. */
export interface ControlRequest {
  readonly name: string;
  readonly value?: string;
  /** 0: none. */
  readonly lockKey: number;
}

export interface ControlTuner {
  /** The channel that was set here, or that a client watches. */
  readonly channel?: LineupChannel;
  /** Address of the client that has its stream. */
  readonly viewer?: string;
  /** The address that its stream goes to as datagrams. */
  readonly target?: string;
  readonly lock?: Lock;
}

export interface Lock {
  readonly key: number;
  /** Address of the client that holds it. */
  readonly by: string;
}

/** The device as one client sees it. */
export interface ControlDevice {
  readonly version: string;
  readonly tuners: readonly ControlTuner[];
  readonly lineup: readonly LineupChannel[];
  /** Address of the client. */
  readonly peer: string;
}

export type ControlAnswer =
  | { readonly kind: "value"; readonly text: string }
  | { readonly kind: "error"; readonly text: string };

/** A change that a request asks for; the new value is its answer. */
export type ControlChange =
  | { readonly kind: "lock"; readonly tuner: number; readonly key: number | undefined }
  | { readonly kind: "tune"; readonly tuner: number; readonly channel: LineupChannel | undefined }
  | { readonly kind: "target"; readonly tuner: number; readonly port: number | undefined };

/** @returns `undefined` if the packet is no such request */
export function parseControl(bytes: Uint8Array): ControlRequest | undefined {
  const packet = parsePacket(bytes);
  if (packet?.type !== PACKET.getSetRequest) return undefined;
  const name = textIn(packet, TAG.name);
  if (name === undefined) return undefined;
  const value = textIn(packet, TAG.value);
  const lockKey = numberIn(packet, TAG.lockKey) ?? 0;
  return { name, lockKey, ...(value === undefined ? {} : { value }) };
}

export function controlReply(name: string, answer: ControlAnswer): Uint8Array {
  const said =
    answer.kind === "error"
      ? [textField(TAG.error, `${answer.text}\0`)]
      : [textField(TAG.name, `${name}\0`), textField(TAG.value, `${answer.text}\0`)];
  return formatPacket({ type: PACKET.getSetReply, fields: said });
}

/** The answer to a request, or the change that it asks for. */
export function decideControl(request: ControlRequest, device: ControlDevice): ControlAnswer | ControlChange {
  const { name, value } = request;
  const [, index = "", variable = ""] = /^\/tuner(\d{1,3})\/(\w{1,20})$/.exec(name) ?? [];
  const tuner = index === "" ? undefined : device.tuners[Number(index)];
  if (tuner === undefined) {
    const text = SYSTEM.get(name)?.(device);
    return text === undefined || value !== undefined ? UNKNOWN : { kind: "value", text };
  }
  if (value !== undefined)
    return change({ ...request, value }, { tuner, index: Number(index), variable, device });
  const read = TUNER.get(variable);
  return read === undefined ? UNKNOWN : { kind: "value", text: read(tuner) };
}

const UNKNOWN = error("unknown getset variable");

function error(text: string): ControlAnswer {
  return { kind: "error", text: `ERROR: ${text}` };
}

/** A map, not an object: clients may ask for any word, even one that every object has as a property. */
const SYSTEM = new Map<string, (device: ControlDevice) => string>([
  ["help", helpText],
  ["/sys/model", () => "recorderd"],
  ["/sys/hwmodel", () => "recorderd"],
  ["/sys/version", ({ version }) => version],
  ["/sys/features", () => ""],
]);

const TUNER = new Map<string, (tuner: ControlTuner) => string>([
  ["channel", channelSetting],
  ["channelmap", () => "none"],
  ["lockkey", ({ lock }) => lock?.by ?? "none"],
  ["program", ({ channel }) => String(channel?.service.sid ?? 0)],
  ["status", statusOf],
  ["streaminfo", streamInfo],
  ["target", ({ target }) => target ?? "none"],
  ["vchannel", ({ channel }) => channel?.number ?? "none"],
  ["vstatus", channelStatus],
]);

function helpText(): string {
  const names = [...SYSTEM.keys()].filter((name) => name !== "help");
  const perTuner = [...TUNER.keys()].map((name) => `/tuner<n>/${name}`);
  return ["Supported configuration options:", ...names, ...perTuner, ""].join("\n");
}

/**
 * A channel is a number of the lineup: its frequency is not known here. Clients expect the colon; Tvheadend crashes without one.
 */
function channelSetting({ channel }: ControlTuner): string {
  return channel === undefined ? "none" : `auto:${channel.number}`;
}

/**
 * Strength and quality say that a channel is set: which tuner of the pool delivers it is not known here. As with a device, they do
 * so before there is a stream, because clients wait for them before they ask for one.
 */
function statusOf(tuner: ControlTuner): string {
  const ch = channelSetting(tuner);
  return tuner.channel === undefined
    ? `ch=${ch} lock=none ss=0 snq=0 seq=0 bps=0 pps=0`
    : `ch=${ch} lock=auto ss=100 snq=100 seq=100 bps=0 pps=0`;
}

function streamInfo({ channel }: ControlTuner): string {
  if (channel === undefined) return "none\n";
  const { onid, tsid, sid } = channel.service;
  return `${sid}: ${channel.number} ${channel.name}\ntsid=${hex(tsid)}\nonid=${hex(onid)}\n`;
}

function channelStatus({ channel }: ControlTuner): string {
  return channel === undefined
    ? "vch=none name=none auth=none cci=none cgms=none"
    : `vch=${channel.number} name=${wordOf(channel.name)} auth=unspecified cci=none cgms=none`;
}

/** A name as one word, because libhdhomerun reads a value up to the next space, and no more of it than it keeps. */
function wordOf(name: string): string {
  let word = "";
  let bytes = 0;
  for (const character of name.trim().replace(/\s+/gu, NO_BREAK_SPACE)) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > WORD_BYTES) break;
    word += character;
  }
  return word === "" ? "none" : word;
}

const NO_BREAK_SPACE = "\u00a0";
/** The longest value in a status that libhdhomerun keeps. */
const WORD_BYTES = 31;

function hex(id: number): string {
  return `0x${id.toString(16).toUpperCase().padStart(4, "0")}`;
}

interface Place {
  readonly tuner: ControlTuner;
  readonly index: number;
  readonly variable: string;
  readonly device: ControlDevice;
}

function change(
  { value, lockKey }: Required<ControlRequest>,
  { tuner, index, variable, device }: Place,
): ControlAnswer | ControlChange {
  const { lineup, peer } = device;
  if (variable === "lockkey" && value === "force") return { kind: "lock", tuner: index, key: undefined };
  if (tuner.lock !== undefined && tuner.lock.key !== lockKey) {
    return error(`resource locked by ${tuner.lock.by}`);
  }
  if (variable === "lockkey") return lockOf(value, index);
  const isOthers = tuner.viewer !== undefined && tuner.target === undefined;
  if (isOthers && /^(v?channel|target)$/.test(variable)) return error(`resource locked by ${tuner.viewer}`);
  const tune = (number: string | undefined, failure: string): ControlAnswer | ControlChange => {
    const channel = lineup.find((one) => one.number === number);
    if (channel === undefined && value !== "none") return error(failure);
    return { kind: "tune", tuner: index, channel };
  };
  switch (variable) {
    case "vchannel":
      return tune(value, "invalid virtual channel");
    case "channel":
      return tune(/^auto:(\d+)$/.exec(value)?.[1], "invalid channel: set vchannel");
    case "target":
      return targetOf(value, { tuner, index, peer });
    default:
      return UNKNOWN;
  }
}

function lockOf(value: string, tuner: number): ControlAnswer | ControlChange {
  if (value === "none") return { kind: "lock", tuner, key: undefined };
  const key = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  return key > 0 && key <= 0xffff_ffff ? { kind: "lock", tuner, key } : error("invalid lockkey");
}

/** Datagrams go only to the client that asks for them, so that nobody can have them sent to others. */
function targetOf(
  value: string,
  { tuner, index, peer }: { readonly tuner: ControlTuner; readonly index: number; readonly peer: string },
): ControlAnswer | ControlChange {
  if (value === "none") return { kind: "target", tuner: index, port: undefined };
  const [, host, digits] = /^(?:udp:\/\/)?([\d.]{7,15}):(\d{1,5})(?: ttl=\d{1,3})?$/.exec(value) ?? [];
  const port = Number(digits);
  if (host !== peer || !(port > 0 && port <= 65_535)) return error("invalid target");
  if (tuner.channel === undefined) return error("no channel: set vchannel first");
  return { kind: "target", tuner: index, port };
}
