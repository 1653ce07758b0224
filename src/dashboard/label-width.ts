/** The font of labels in timeline.css. */
const FONT = "600 12px system-ui, sans-serif";
/** A wide letter: without a canvas, names are rather too short than too long. */
const WIDE_PX = 12;
/** Kept widths: the same names come back with each step of the timeline. */
const KEPT = 2000;

const known = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** The width of a label as the browser draws it. */
export function labelPx(text: string): number {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (context === undefined) context = document.createElement("canvas").getContext("2d");
  if (context === null) return text.length * WIDE_PX;
  context.font = FONT;
  const { width } = context.measureText(text);
  if (known.size >= KEPT) known.clear();
  known.set(text, width);
  return width;
}
