import { logoOf } from "../state/logos.ts";

interface LogoProps {
  /** Absent where only the name is known. */
  readonly channelId?: string | undefined;
  readonly name: string;
}

/** The logo of a channel, beside its name; nothing where it has none. Its place does not depend on when it arrives. */
export function Logo(props: LogoProps) {
  const path = logoOf(props);
  if (path === undefined) return null;
  return (
    <img
      class="logo"
      alt=""
      loading="lazy"
      src={path}
      onError={({ currentTarget }) => {
        currentTarget.style.visibility = "hidden";
      }}
    />
  );
}

/** A channel within a line of text. */
export function ChannelName(props: LogoProps) {
  return (
    <>
      <Logo {...props} />
      <bdi>{props.name}</bdi>
    </>
  );
}
