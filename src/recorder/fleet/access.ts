import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { type DatabaseAddress, parseDatabaseAddress } from "../../kit/postgres/address.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { DATABASE_PASSWORD_PLACE, inNoFleet } from "../config/fleet.ts";
import type { Config } from "../config/schema.ts";
import { readSecretsFile, secretsPlace } from "../config/secrets.ts";
import { FleetDatabase } from "./database.ts";
import { LEASE_CONNECTION_LIMITS, STATE_CONNECTION_LIMITS } from "./limits.ts";

/** A node has a separate connection to renew its lease, which waits for no other. */
const LIMITS = { lease: LEASE_CONNECTION_LIMITS, state: STATE_CONNECTION_LIMITS } as const;

/** @throws RecorderdError CONFIG_INVALID without a fleet; FILE_UNREADABLE for secrets or certificates */
export async function openFleetDatabase(
  config: Pick<Config, "fleet" | "data">,
  { use, clock }: { readonly use: keyof typeof LIMITS; readonly clock: Clock },
): Promise<FleetDatabase> {
  const secrets = await readSecretsFile(secretsPlace(config.data.folder));
  const access = {
    address: fleetAddress(config),
    password: secrets?.fleet?.password,
    limits: LIMITS[use],
  };
  return await FleetDatabase.open({ access, clock });
}

function fleetAddress({ fleet }: Pick<Config, "fleet">): DatabaseAddress {
  if (fleet !== undefined) return parseDatabaseAddress(fleet.database, DATABASE_PASSWORD_PLACE);
  throw inNoFleet();
}

/** The random id of this node, stored in its data folder. @throws RecorderdError FILE_UNREADABLE, DISK_FULL or WRITE_FAILED */
export async function nodeOf(dataFolder: string): Promise<string> {
  const file = new DurableFile({ file: join(dataFolder, "node"), keepsPrevious: false });
  const found = await file.read((text) => text.trim());
  if (found !== undefined && found.value !== "") return found.value;
  const node = randomBytes(9).toString("base64url");
  await file.replace(`${node}\n`);
  return node;
}
