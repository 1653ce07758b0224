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
  ["channel", () => "none"],
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

/** Strength and quality say whether a stream arrives: which tuner of the pool delivers it is not known here. */
function statusOf({ channel, viewer }: ControlTuner): string {
  return viewer === undefined
    ? "ch=none lock=none ss=0 snq=0 seq=0 bps=0 pps=0"
    : `ch=v${channel?.number ?? ""} lock=auto ss=100 snq=100 seq=100 bps=0 pps=0`;
}

function streamInfo({ channel, viewer }: ControlTuner): string {
  if (channel === undefined || viewer === undefined) return "none\n";
  const { onid, tsid, sid } = channel.service;
  return `${sid}: ${channel.number} ${channel.name}\ntsid=${hex(tsid)}\nonid=${hex(onid)}\n`;
}

function channelStatus({ channel }: ControlTuner): string {
  return channel === undefined
    ? "vch=none name=none auth=none cci=none cgms=none"
    : `vch=${channel.number} name=${channel.name} auth=unspecified cci=none cgms=none`;
}

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
  if (variable === "vchannel" || variable === "target") {
    if (isOthers) return error(`resource locked by ${tuner.viewer}`);
  }
  if (variable === "vchannel") {
    const channel = lineup.find(({ number }) => number === value);
    if (channel === undefined && value !== "none") return error("invalid virtual channel");
    return { kind: "tune", tuner: index, channel };
  }
  if (variable === "target") return targetOf(value, { tuner, index, peer });
  if (variable === "channel" && value === "none") return { kind: "tune", tuner: index, channel: undefined };
  return variable === "channel" ? error("invalid channel: set vchannel") : UNKNOWN;
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
