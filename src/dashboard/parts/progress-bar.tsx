import { reader, say } from "../state/language.ts";
import { progress, unfinishedShare } from "../state/progress.ts";

/** @param share from 0 to 1 @param label names it for screen readers, with the share in percent */
export function ProgressBar({
  share,
  label,
  kind = "progress-bar",
}: {
  readonly share: number;
  readonly label: (values: { readonly share: string }) => string;
  /** The class. */
  readonly kind?: "progress-bar" | "seen-bar";
}) {
  const percent = Math.round(100 * share);
  return (
    <span class={kind} role="img" aria-label={label({ share: reader().percent(percent / 100) })}>
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}

/** The part of an unfinished recording that the viewer has seen. */
export function SeenBar({
  recordingId,
  ...more
}: {
  readonly recordingId: string;
  readonly kind?: "progress-bar" | "seen-bar";
}) {
  const share = unfinishedShare(progress.value.get(recordingId));
  if (share === undefined) return null;
  return <ProgressBar share={share} label={(values) => say("recordings-seen", values)} {...more} />;
}
