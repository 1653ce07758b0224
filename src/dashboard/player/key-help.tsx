import { say } from "../state/language.ts";
import { BACK_SECONDS, FORWARD_SECONDS, STEP_SECONDS } from "./commands.ts";

/** The keys of the player with their meaning. */
export function KeyHelp() {
  return (
    // On a phone it scrolls.
    <dl class="key-help" aria-label={say("player-keys")} tabIndex={0}>
      {keyHelp().map(([keys, meaning]) => (
        <div key={keys}>
          <dt>{keys}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

function keyHelp(): readonly (readonly [keys: string, meaning: string])[] {
  return [
    [say("player-key-space"), say("player-key-toggle")],
    ["← →", say("player-key-skip", { seconds: STEP_SECONDS })],
    ["j, l", say("player-key-jump", { back: BACK_SECONDS, forward: FORWARD_SECONDS })],
    ["↑ ↓", say("player-key-volume")],
    ["m", say("player-key-mute")],
    ["f", say("player-key-full")],
    ["a", say("player-key-sound")],
    ["c", say("player-key-subtitles")],
    ["< >", say("player-key-speed")],
    [say("player-key-digits"), say("player-key-part")],
    ["?", say("player-key-help")],
    [say("player-key-escape"), say("player-key-close")],
  ];
}
