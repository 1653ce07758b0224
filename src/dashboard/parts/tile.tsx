import { hueOf } from "../tonight.ts";
import { ChannelName } from "./logo.tsx";

/** Stands for a recording: its picture where there is one, before the colour and the name of its channel. */
export function Tile({
  channelId,
  channelName,
  recordingId,
}: {
  /** Absent where only the name is known. */
  readonly channelId?: string;
  readonly channelName: string;
  readonly recordingId: string;
}) {
  return (
    <span class="tile" style={{ "--hue": String(hueOf(channelName)) }}>
      <span>
        <ChannelName channelId={channelId} name={channelName} />
      </span>
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
      decoding="async"
      src={`/v1/recordings/${encodeURIComponent(recordingId)}/thumbnail`}
      onError={({ currentTarget }) => {
        currentTarget.hidden = true;
      }}
    />
  );
}
