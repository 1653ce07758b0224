import type { SpaceFacts } from "../model/space.ts";
import { HOUR, SECOND } from "../model/time.ts";
import type { Mark } from "./parts/verdict.ts";
import { say } from "./state/language.ts";

/** Whole hours of television that fit on the disk before recording stops. */
export function roomHours({
  freeBytes,
  stopBytes,
  bytesPerSecond,
}: Pick<SpaceFacts, "freeBytes" | "stopBytes" | "bytesPerSecond">): number {
  const roomMs = (Math.max(0, freeBytes - stopBytes) / Math.max(1, bytesPerSecond)) * SECOND;
  return Math.floor(roomMs / HOUR);
}

/** The state of the disk in one mark. It is only good if everything planned fits. */
export function spaceMark(space: SpaceFacts): Mark {
  switch (space.level) {
    case "offline":
      return { tone: "bad", mark: "✕", text: say("tuners-space-offline") };
    case "full":
      return { tone: "bad", mark: "✕", text: say("tuners-space-full") };
    case "low":
      return { tone: "warn", mark: "!", text: say("tuners-space-low") };
    case "enough":
      return space.fills?.by === "plan"
        ? { tone: "warn", mark: "!", text: say("tuners-space-short") }
        : { tone: "good", mark: "✓", text: say("tuners-space-room", { hours: roomHours(space) }) };
  }
}
