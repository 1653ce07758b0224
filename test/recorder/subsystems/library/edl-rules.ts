/*
 * How Kodi reads an edit decision list: its wiki ("Edit decision list", "MPlayer EDL") and, for what the page leaves open,
 * its parser (Edl.cpp).
 */

export type Edit =
  | { readonly action: "cut" | "mute" | "commercial break"; readonly fromMs: number; readonly toMs: number }
  | { readonly action: "scene marker"; readonly atMs: number };

const ACTIONS = ["cut", "mute", "scene marker", "commercial break"] as const;

/** @throws Error for a line that Kodi skips with a warning, and for parts that overlap, which it refuses */
export function readEdl(text: string): readonly Edit[] {
  const edits: Edit[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("##")) continue;
    const [from, to, action, ...rest] = line.split(/[ \t]+/);
    const [fromMs, toMs] = [timeOf(from), timeOf(to)];
    const name = ACTIONS[Number(action)];
    if (name === undefined || !/^\d$/.test(action ?? "") || rest.length > 0)
      throw new Error(`unknown action: ${line}`);
    if (name === "scene marker") edits.push({ action: name, atMs: toMs });
    else {
      const overlaps = edits.some((edit) => "toMs" in edit && edit.fromMs < toMs && fromMs < edit.toMs);
      if (fromMs >= toMs || overlaps) throw new Error(`refused: ${line}`);
      edits.push({ action: name, fromMs, toMs });
    }
  }
  return edits;
}

/** Seconds with a point, or HH:MM:SS.sss. Frame numbers need a frame rate, which transport streams may lack. */
function timeOf(text = ""): number {
  const clock = /^(\d+):(\d\d):(\d\d)(\.\d{1,3})?$/.exec(text);
  if (clock !== null) {
    const [, hours, minutes, seconds, rest = "0"] = clock;
    return Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds) + Number(rest)) * 1000);
  }
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`no time: ${text}`);
  return Math.round(Number(text) * 1000);
}
