import { MIGRATION_LIMITS } from "../limits.ts";

/** The settings in VDR's `setup.conf` that the readers need. */
export interface VdrSetup {
  /** Minutes that VDR adds to an event when it makes a timer of it. */
  readonly marginStart: number;
  readonly marginStop: number;
  /** The priority of a timer whose owner chose no other. */
  readonly priority: number;
}

export function readSetup(text: string): VdrSetup {
  const numberOf = (key: string, fallback: number) => {
    const digits = new RegExp(`^${key}\\s*=\\s*(\\d{1,4})\\s*$`, "m").exec(text)?.[1];
    return digits === undefined ? fallback : Math.min(Number(digits), MIGRATION_LIMITS.paddingMinutes);
  };
  return {
    marginStart: numberOf("MarginStart", 2),
    marginStop: numberOf("MarginStop", 10),
    priority: numberOf("DefaultPriority", 50),
  };
}
