import { join } from "node:path";
import { NODE_VERSION } from "../../kit/machine/machine.ts";
import { HOST_PROGRAM } from "../capture/host/place.ts";

/** The places to check on the machine; tests use others. */
export interface Machine {
  /** Such as `20.19.2`. */
  readonly nodeVersion: string;
  /** Folders where captures look up programs. */
  readonly path: string;
  readonly proc: string;
  readonly dvb: string;
  /** The capture host, as JavaScript. */
  readonly hostProgram: string;
  /** In systemd's order: the first folder with a unit counts. */
  readonly unitFolders: readonly string[];
  /** The unit of this version. */
  readonly ownUnit: string;
}

export const THIS_MACHINE: Machine = {
  nodeVersion: NODE_VERSION,
  path: "/usr/local/bin:/usr/bin:/bin",
  proc: "/proc",
  dvb: "/dev/dvb",
  hostProgram: HOST_PROGRAM,
  unitFolders: [
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
    "/lib/systemd/system",
  ],
  ownUnit: join(import.meta.dirname, "../../../systemd/recorderd.service"),
};
