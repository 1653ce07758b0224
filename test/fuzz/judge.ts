import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Target } from "./target.ts";

/** A run that exceeds a budget is repeated: compilation and collections of garbage cost too, and not every time. */
const TRIES = 3;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface Cost {
  readonly cpuMs: number;
  readonly heldBytes: number;
}

/** Runs one input. @returns why it is a finding; nothing where all is well */
export async function judge(target: Target, input: Uint8Array): Promise<string | undefined> {
  try {
    const { budget } = target;
    let least = await costOf(target, input);
    for (let tries = 1; tries < TRIES && exceeds(least, budget); tries += 1) {
      collectGarbage();
      const cost = await costOf(target, input, collectGarbage);
      least = {
        cpuMs: Math.min(least.cpuMs, cost.cpuMs),
        heldBytes: Math.min(least.heldBytes, cost.heldBytes),
      };
    }
    if (least.cpuMs > budget.cpuMs) return `takes ${Math.round(least.cpuMs)} ms of processor time`;
    if (least.heldBytes > budget.heldBytes) return `holds ${least.heldBytes} bytes`;
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : `throws ${String(error)}`;
  }
}

function exceeds(cost: Cost, budget: Cost): boolean {
  return cost.cpuMs > budget.cpuMs || cost.heldBytes > budget.heldBytes;
}

/** @param settle runs before memory is looked at */
async function costOf(target: Target, input: Uint8Array, settle: () => void = () => {}): Promise<Cost> {
  // A run that changes its input must not affect the next one.
  const copy = Uint8Array.from(input);
  const heldBefore = heldBytes();
  const cpuBefore = process.cpuUsage();
  const running = target.run(copy);
  const result = running instanceof Promise ? await running : running;
  const { user, system } = process.cpuUsage(cpuBefore);
  settle();
  const cost = { cpuMs: (user + system) / 1000, heldBytes: heldBytes() - heldBefore };
  // Held until here.
  return result === costOf ? { ...cost } : cost;
}

function heldBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
