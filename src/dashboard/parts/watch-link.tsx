import type { ComponentChildren } from "preact";
import type { Station } from "../guide-data.ts";
import { say } from "../state/language.ts";
import { liveLink } from "../state/place.ts";
import { isReceived, reach } from "../state/reach.ts";

/** A channel's name in the guide: where a tuner receives the channel, it opens the live picture. */
export function WatchLink({
  station: { id, name },
  style,
  isHidden = false,
  children,
  ...kind
}: {
  readonly station: Station;
  readonly class: string;
  readonly style?: Readonly<Record<string, string>>;
  /** Without a link, others name the channel to those who do not see it. */
  readonly isHidden?: boolean;
  readonly children: ComponentChildren;
}) {
  const one = reach.value?.find(({ channelId }) => channelId === id);
  const given = { ...kind, ...(style === undefined ? {} : { style }) };
  if (one === undefined || !isReceived(one)) {
    return (
      <span {...given} aria-hidden={isHidden ? "true" : undefined}>
        {children}
      </span>
    );
  }
  const words = say("reception-watch", { channel: name });
  return (
    <a {...given} href={liveLink(one.service)} aria-label={words} title={words}>
      {children}
    </a>
  );
}
