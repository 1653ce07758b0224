import { parseDatabaseAddress } from "../../kit/postgres/address.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { DATABASE_PASSWORD_PLACE } from "../config/fleet.ts";
import type { Config } from "../config/schema.ts";
import { FleetDatabase } from "./database.ts";
import { otherHome } from "./home.ts";
import { STATE_CONNECTION_LIMITS } from "./limits.ts";
import { fleetOverview } from "./overview.ts";
import { sharedPlaces } from "./places.ts";
import { arePrepared } from "./schema.ts";

/** A machine that would become a node. */
export interface Newcomer extends Pick<Config, "recordings"> {
  /** Address of the database. */
  readonly database: string;
  readonly password: string | undefined;
  /** Its name. */
  readonly node: string;
  /** The node that keeps the recordings; absent: the nodes share a folder. */
  readonly home?: string | undefined;
}

/**
 * Checks whether a machine can be a node of the fleet: the database answers, no running node has its name, and it sees the folder
 * that the fleet shares. The first node finds an empty database.
 *
 * @throws RecorderdError CONFIG_INVALID if it cannot; STORE_WRITE_FAILED if the database cannot be used; FILE_UNREADABLE for its
 *   certificates
 */
export async function checkNewcomer(newcomer: Newcomer, clock: Clock): Promise<void> {
  const address = parseDatabaseAddress(newcomer.database, DATABASE_PASSWORD_PLACE);
  const access = { address, password: newcomer.password, limits: STATE_CONNECTION_LIMITS };
  await using database = await FleetDatabase.open({ access, clock });
  if (!(await arePrepared(database))) return;
  const { nodes } = await fleetOverview(database);
  if (nodes.some(({ name, isAway }) => name === newcomer.node && !isAway)) {
    throw refusal(
      `The fleet has a node ${newcomer.node} that runs now: choose another name (--node), or stop it first.`,
    );
  }
  const [leader] = await database.query("SELECT term::int AS term, mark, is_marked, home FROM fleet_leader");
  const { node, home } = newcomer;
  const fleet = { node, home };
  const elsewhere = Number(leader?.["term"]) > 0 ? otherHome({ fleet }, String(leader?.["home"])) : undefined;
  if (elsewhere !== undefined) throw refusal(`${elsewhere} An invitation has the setting.`);
  if (leader?.["is_marked"] !== true) return;
  const why = await sharedPlaces({ ...newcomer, fleet }).whyNotOfFleet(String(leader["mark"]));
  if (why !== undefined) throw refusal(why);
}

function refusal(message: string): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", message);
}
