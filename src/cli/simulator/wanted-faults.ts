import { InvalidArgumentError } from "commander";
import { FLEET_FAULTS } from "../../simulator/fleet/fleet-faults.ts";
import { FAULTS } from "../../simulator/weeks/script.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";

/** All kinds of random faults, some by name, or the file of a written plan. */
export type WantedFaults = "all" | readonly string[] | { readonly planFile: string };

/** Reads `all`, `none`, kinds separated by commas, or the name of a YAML file. */
export function faultsFrom(text: string): WantedFaults {
  if (text === "all") return text;
  if (text === "none") return [];
  if (/\.ya?ml$/.test(text)) return { planFile: text };
  const wanted = text.split(",").map((word) => word.trim());
  const known: readonly string[] = [...FAULTS, ...FLEET_FAULTS];
  const unknown = wanted.find((word) => !known.includes(word));
  if (unknown === undefined) return wanted;
  throw new InvalidArgumentError(
    `“${unknown}” is not one of: all, none, ${FAULTS.join(", ")}; nor a plan whose name ends in .yaml; nor, with --nodes, one of: ${FLEET_FAULTS.join(", ")}`,
  );
}

/** The wanted kinds, in the order in which they are known. @throws an error about the command line */
export function kindsOf<F extends string>(
  wanted: "all" | readonly string[],
  { known, what, io }: { readonly known: readonly F[]; readonly what: string; readonly io: CliIo },
): readonly F[] {
  if (wanted === "all") return known;
  const other = wanted.find((word) => !known.some((kind) => kind === word));
  if (other !== undefined) throw usageError(io, `${what} has no fault “${other}”, but: ${known.join(", ")}`);
  return known.filter((kind) => wanted.includes(kind));
}
