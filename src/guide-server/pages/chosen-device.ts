import { RecorderdError } from "../../model/errors.ts";
import { devicesOf } from "../domain/devices.ts";
import type { Household } from "./household.ts";

/**
 * The device for a recording: the named one, else the household's only one.
 *
 * @throws RecorderdError GUIDE_NOT_FOUND if there is none, GUIDE_NOT_ACCEPTABLE if there are several
 */
export function chosenDevice({ tables, account }: Household, named: number | undefined): number {
  if (named !== undefined) return named;
  const [first, second] = devicesOf(tables, account);
  if (first !== undefined && second === undefined) return first.id;
  throw first === undefined
    ? new RecorderdError(
        "GUIDE_NOT_FOUND",
        "The household has no device that can record: sign in with a box or a recorder first.",
      )
    : new RecorderdError(
        "GUIDE_NOT_ACCEPTABLE",
        "The household has several devices: choose the one that records.",
      );
}
