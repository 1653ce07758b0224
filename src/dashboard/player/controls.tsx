import type { ComponentChildren } from "preact";
import { say } from "../state/language.ts";
import { BACK_SECONDS, type Command, FORWARD_SECONDS, RATES } from "./commands.ts";
import { Icon } from "./icons.tsx";
import type { MediaState } from "./media.ts";
import type { StreamFacts } from "./model.ts";
import { positionText } from "./position-text.ts";
import { SeekBar } from "./seek-bar.tsx";
import type { SubtitleChoice, subtitleChoices } from "./subtitle-choices.ts";

/** A live service that is played with at most this much delay is shown as live: its newest segment may just have come. */
const LIVE_SECONDS = 8;

export interface ControlsParts {
  readonly media: MediaState;
  readonly isLive: boolean;
  readonly gaps: StreamFacts["gaps"];
  /** Names of the sound tracks. */
  readonly sounds: readonly string[];
  /** Position of the chosen one; -1: none. */
  readonly chosenSound: number;
  readonly subtitles: ReturnType<typeof subtitleChoices>;
  /** Position of the chosen one in `subtitles`. */
  readonly chosenSubtitles: number;
  readonly isFull: boolean;
  readonly canFloat: boolean;
  readonly act: (command: Command) => void;
  readonly onAudio: (position: number) => void;
  readonly onSubtitles: (choice: SubtitleChoice) => void;
  readonly onFloat: () => void;
}

/** The controls of the player. */
export function Controls(parts: ControlsParts) {
  const { media, gaps, act } = parts;
  return (
    <div class="controls" role="group" aria-label={say("player-title")}>
      <SeekBar media={media} gaps={gaps} onSeek={(seconds) => act({ do: "seek", seconds })} />
      <div class="control-row">
        <Button
          name={say("player-back", { seconds: BACK_SECONDS })}
          onPress={() => act({ do: "skip", seconds: -BACK_SECONDS })}
        >
          <Icon name="back" />
        </Button>
        <Button
          name={media.isPaused ? say("player-play") : say("player-pause")}
          onPress={() => act({ do: "toggle" })}
        >
          <Icon name={media.isPaused ? "play" : "pause"} />
        </Button>
        <Button
          name={say("player-forward", { seconds: FORWARD_SECONDS })}
          onPress={() => act({ do: "skip", seconds: FORWARD_SECONDS })}
        >
          <Icon name="forward" />
        </Button>
        {parts.isLive ? <LivePosition {...parts} /> : <Position media={media} />}
        <span class="grow" />
        <Choices {...parts} />
        <Button
          name={media.isMuted ? say("player-sound-on") : say("player-sound-off")}
          onPress={() => act({ do: "mute" })}
        >
          <Icon name={media.isMuted ? "silent" : "sound"} />
        </Button>
        <input
          type="range"
          class="volume"
          aria-label={say("player-volume")}
          min={0}
          max={1}
          step={0.05}
          value={media.isMuted ? 0 : media.volume}
          onInput={({ currentTarget }) => act({ do: "volume", volume: currentTarget.valueAsNumber })}
        />
        {parts.canFloat ? (
          <Button name={say("player-floating")} onPress={parts.onFloat}>
            <Icon name="picture" />
          </Button>
        ) : null}
        <Button
          name={parts.isFull ? say("player-full-leave") : say("player-full")}
          onPress={() => act({ do: "full-screen" })}
        >
          <Icon name="full" />
        </Button>
        <Button name={say("player-keys")} onPress={() => act({ do: "help" })} kind="for-keyboard">
          <Icon name="keys" />
        </Button>
      </div>
    </div>
  );
}

function Button({
  name,
  onPress,
  kind = "",
  children,
}: {
  readonly name: string;
  readonly onPress: () => void;
  readonly kind?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <button type="button" class={`quiet ${kind}`} aria-label={name} title={name} onClick={onPress}>
      {children}
    </button>
  );
}

function Position({ media: { seconds, range } }: Pick<ControlsParts, "media">) {
  return (
    <span class="time">
      {positionText(seconds)} / {positionText(range.endSeconds)}
    </span>
  );
}

function LivePosition({ media: { seconds, range, liveSeconds }, act }: Pick<ControlsParts, "media" | "act">) {
  const isAtEdge = liveSeconds - seconds < LIVE_SECONDS;
  return (
    <>
      <span class="time">{isAtEdge ? "" : `−${positionText(range.endSeconds - seconds)}`}</span>
      <button type="button" class="to-live" aria-pressed={isAtEdge} onClick={() => act({ do: "live" })}>
        {say("player-to-live")}
      </button>
    </>
  );
}

function Choices(parts: ControlsParts) {
  const { sounds, chosenSound, subtitles, chosenSubtitles, media, onAudio, onSubtitles, act } = parts;
  return (
    <>
      {sounds.length < 2 ? null : (
        <Choice name={say("player-sound")} names={sounds} chosen={chosenSound} onChoice={onAudio} />
      )}
      {subtitles.length < 2 ? null : (
        <Choice
          name={say("player-subtitles")}
          names={subtitles.map(({ name }) => name)}
          chosen={chosenSubtitles}
          onChoice={(at) => onSubtitles(subtitles[at]?.choice ?? { kind: "none" })}
        />
      )}
      <Choice
        name={say("player-speed")}
        names={RATES.map((rate) => say("player-rate", { rate }))}
        chosen={RATES.indexOf(media.rate)}
        onChoice={(at) => act({ do: "rate", rate: RATES[at] ?? 1 })}
      />
    </>
  );
}

function Choice({
  name,
  names,
  chosen,
  onChoice,
}: {
  readonly name: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onChoice: (position: number) => void;
}) {
  return (
    <select
      aria-label={name}
      title={name}
      value={String(chosen)}
      onChange={({ currentTarget }) => onChoice(Number(currentTarget.value))}
    >
      {names.map((each, at) => (
        <option key={at} value={String(at)}>
          {each}
        </option>
      ))}
    </select>
  );
}
