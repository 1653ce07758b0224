import { type DatabaseAccess, poolConfigs } from "../../../kit/postgres/address.ts";
import { Cluster, guardedBy, type Unavailable } from "../../../kit/postgres/cluster.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { SERVER_LIMITS } from "../../limits.ts";

const unavailable: Unavailable = (why, cause) => {
  const text = `The database is not available (${why}): try again soon.`;
  return new RecorderdError("GUIDE_UNAVAILABLE", text, { system: why }, { cause });
};

/** The guide server's connections. @throws RecorderdError FILE_UNREADABLE */
export async function openCluster(access: Pick<DatabaseAccess, "address" | "password">): Promise<Cluster> {
  return new Cluster(await poolConfigs({ ...access, limits: SERVER_LIMITS }), unavailable);
}

/** Translates errors that pass by themselves to GUIDE_UNAVAILABLE; others stay what they are. */
export function guarded<T>(work: () => PromiseLike<T>): Promise<T> {
  return guardedBy(unavailable, work);
}
