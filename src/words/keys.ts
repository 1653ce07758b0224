/** The keys of the catalogue, and the values that each needs. Made by scripts/make-words.mjs from texts/en.ts. */
export interface WordValues {
  readonly today: never;
  readonly tomorrow: never;
  readonly yesterday: never;
  readonly "day-and-time": "day" | "time";
  readonly hours: "hours";
  readonly minutes: "minutes";
  readonly seconds: "seconds";
  readonly "frame-loading": never;
  readonly "frame-waiting": never;
  readonly "frame-skip": never;
  readonly "frame-pages": never;
  readonly "frame-colours": "theme";
  readonly "frame-language": never;
  readonly "frame-signed-out": never;
  readonly "frame-sign-out": never;
}
