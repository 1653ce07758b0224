import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { hostname } from "node:os";
import { parseDatabaseAddress } from "../../kit/postgres/address.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { DATABASE_PASSWORD_PLACE, FLEET_SECRET_LENGTH, FleetConfig } from "../config/fleet.ts";
import { pathText } from "../config/mistakes.ts";
import type { Config } from "../config/schema.ts";
import type { Secrets } from "../config/secrets.ts";
import { devicesAt, type GuideAnswers, type RequestContext, regionsAt } from "./guide-step.ts";
import { type Invitation, readInvitation } from "./invitation.ts";
import { invalidAnswer } from "./refusal.ts";
import type { TunerEntry } from "./tuner-step.ts";

/** The fleet to join, and this machine's place in it. */
export interface FleetAnswer {
  /** Address of its database. */
  readonly database: string;
  readonly password?: string | undefined;
  /** By which the nodes know each other; absent: this node only stands by. */
  readonly secret?: string | undefined;
  /** The node that keeps the recordings; absent: the nodes share a folder. */
  readonly home?: string | undefined;
  /** Name of this node; absent: that of the machine. */
  readonly node?: string | undefined;
  /** Address of this machine that the other nodes reach; absent: the one that leads to the database. */
  readonly listen?: string | undefined;
}

/** The keys of a node in its configuration and its secrets. */
export interface FleetEntry {
  readonly config: {
    readonly database: string;
    readonly node?: string;
    readonly home?: string;
    readonly listen?: { readonly host: string };
  };
  readonly secrets: NonNullable<Secrets["fleet"]>;
}

/** @throws RecorderdError CONFIG_INVALID */
export async function fleetEntryOf(answer: FleetAnswer): Promise<FleetEntry> {
  const { database, password, secret, node, home } = answer;
  if (secret !== undefined && (secret.length < FLEET_SECRET_LENGTH || !/^[!-~]+$/.test(secret))) {
    throw invalidAnswer(
      `The secret of a fleet has at least ${FLEET_SECRET_LENGTH} characters, without spaces.`,
    );
  }
  const [server] = parseDatabaseAddress(database, DATABASE_PASSWORD_PLACE).hosts;
  const host = secret === undefined ? undefined : (answer.listen ?? (await addressTowards(server)));
  const config = {
    database,
    ...withoutUndefined({ node, home, listen: host === undefined ? undefined : { host } }),
  };
  const parsed = FleetConfig.safeParse(config);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined) throw invalidAnswer(`fleet.${pathText(issue.path)}: ${issue.message}.`);
  return { config, secrets: withoutUndefined({ password, secret }) };
}

/** The address of this machine on the way to a server. Connecting a datagram socket sends nothing. */
async function addressTowards(
  server: { readonly host: string; readonly port: number } | undefined,
): Promise<string | undefined> {
  if (server === undefined) return undefined;
  const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4");
  try {
    const connected = once(socket, "connect");
    socket.connect(server.port, server.host);
    await connected;
    return socket.address().address;
  } catch {
    // The name is unknown here, or no route leads there: the check of the database says so.
    return undefined;
  } finally {
    socket.close();
  }
}

/**
 * Checks that this machine can be a node of the fleet.
 *
 * @throws RecorderdError CONFIG_INVALID with the reason
 */
export async function checkFleet(
  { config: { database, node = hostname(), home }, secrets: { password } }: FleetEntry,
  { recordings }: Pick<Config, "recordings">,
  clock: Clock,
): Promise<void> {
  // A recorder on its own never loads the client of the database.
  const { checkNewcomer } = await import("../fleet/joining.ts");
  try {
    await checkNewcomer({ database, password, node, home, recordings }, clock);
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    throw invalidAnswer(error.message, "fleet");
  }
}

/** A node's own part of its answers. */
export type OwnPart = Pick<FleetAnswer, "node" | "listen">;

/** The answers that an invitation gives. */
export interface JoinedAnswers {
  readonly fleet: FleetEntry;
  readonly guide: GuideAnswers;
  readonly tuners: readonly TunerEntry[];
  readonly invitation: Invitation;
}

/**
 * Takes the answers from an invitation, and tries the database and the guide service.
 *
 * @throws RecorderdError CONFIG_INVALID; as regionsAt
 */
export async function answersIn(text: string, own: OwnPart, asking: RequestContext): Promise<JoinedAnswers> {
  const invitation = readInvitation(text);
  const { config, database, home, secrets, tuners } = invitation;
  const fleet = await fleetEntryOf({ ...own, database, home, ...secrets.fleet });
  await checkFleet(fleet, config, asking.clock);
  const { url, regionId, deviceId } = config.guide;
  const { service, regions } = await regionsAt({ url, apiKey: secrets.apiKey }, asking);
  const joined = { ...service, ...withoutUndefined({ account: secrets.account }) };
  const devices = joined.account === undefined ? [] : await devicesAt(joined, asking);
  const scope = { regionId, ...withoutUndefined({ deviceId }) };
  return { fleet, guide: { service: joined, regions, devices, scope }, tuners, invitation };
}
