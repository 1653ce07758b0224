import { hueOf } from "../tonight.ts";

/** Stands for a show: its picture where there is one, before the colour and the name of its channel. */
export function Tile({ channelName, picture }: { readonly channelName: string; readonly picture?: string }) {
  return (
    <span class="tile" style={{ "--hue": String(hueOf(channelName)) }}>
      <span>{channelName}</span>
      {picture === undefined ? null : <img alt="" loading="lazy" src={picture} />}
    </span>
  );
}
