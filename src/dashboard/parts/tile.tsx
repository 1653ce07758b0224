import { hueOf } from "../tonight.ts";

/** Stands for a recording: its picture where there is one, before the colour and the name of its channel. */
export function Tile({
  channelName,
  recordingId,
}: {
  readonly channelName: string;
  readonly recordingId: string;
}) {
  return (
    <span class="tile" style={{ "--hue": String(hueOf(channelName)) }}>
      <span>{channelName}</span>
      <Still recordingId={recordingId} />
    </span>
  );
}

/** A picture from a recording. A radio show has none, and a recording that has just begun has none yet. */
export function Still({ recordingId, ...more }: { readonly recordingId: string; readonly class?: string }) {
  return (
    <img
      {...more}
      alt=""
      loading="lazy"
      src={`/v1/recordings/${encodeURIComponent(recordingId)}/thumbnail`}
      onError={({ currentTarget }) => {
        currentTarget.hidden = true;
      }}
    />
  );
}
