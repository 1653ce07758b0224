import type { CliIo } from "./io.ts";
import { sizeText } from "./table.ts";

/** Progress of long work in the terminal's last line, cleared at the end. Elsewhere nothing is shown. */
export interface Progress extends Disposable {
  set(bytes: number): void;
}

/** Nobody sees more frequent updates. */
const DRAW_MS = 100;
const BAR_MAX = 40;

export function progressOf(
  { transient, columns = 80, clock }: Pick<CliIo, "transient" | "columns" | "clock">,
  { label, bytes: total }: { readonly label: string; readonly bytes: number },
): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    set: (bytes) => {
      const now = clock.monotonicMs();
      if (transient === undefined || now - drawnAt < DRAW_MS) return;
      drawnAt = now;
      transient(barText({ label, bytes, total, columns }));
    },
    [Symbol.dispose]: () => transient?.(""),
  };
}

interface Bar {
  readonly label: string;
  readonly bytes: number;
  readonly total: number;
  readonly columns: number;
}

export function barText({ label, bytes, total, columns }: Bar): string {
  const share = total <= 0 ? 1 : Math.min(1, bytes / total);
  const figures = `${String(Math.floor(share * 100)).padStart(3)} %  ${sizeText(bytes)} of ${sizeText(total)}`;
  const room = Math.min(BAR_MAX, columns - label.length - figures.length - 5);
  if (room < 5) return figures.slice(0, Math.max(0, columns - 1));
  const full = Math.round(share * room);
  return `${label} [${"#".repeat(full)}${" ".repeat(room - full)}] ${figures}`;
}
