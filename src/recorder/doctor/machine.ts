import { join } from "node:path";
import { NODE_VERSION } from "../../kit/machine/machine.ts";
import { HOST_PROGRAM } from "../capture/host/place.ts";

/** Where the machine is looked at; tests have one of their own. */
export interface Machine {
  /** As `20.19.2`. */
  readonly nodeVersion: string;
  /** Folders in which captures look for programs. */
  readonly path: string;
  readonly proc: string;
  readonly dvb: string;
  /** The capture host, as JavaScript. */
  readonly hostProgram: string;
  /** In systemd's order: the first that has a unit counts. */
  readonly unitFolders: readonly string[];
  /** The unit as this version has it. */
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
