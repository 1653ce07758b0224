import { say } from "../state/language.ts";
import { silentSince } from "../state/live.ts";
import { exactText } from "../words.ts";

/** Says that the recorder is silent, and how old the displayed state is. */
export function Silence() {
  const { value: at } = silentSince;
  if (at === undefined) return null;
  return (
    <div role="alert" class="silence">
      {say("frame-silent", { time: exactText(at) })}
    </div>
  );
}
