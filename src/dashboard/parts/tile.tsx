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
      <img
        alt=""
        loading="lazy"
        src={`/v1/recordings/${encodeURIComponent(recordingId)}/thumbnail`}
        // A radio show has none, and a recording that has just begun has none yet.
        onError={({ currentTarget }) => {
          currentTarget.hidden = true;
        }}
      />
    </span>
  );
}
