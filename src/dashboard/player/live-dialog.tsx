import { useEffect } from "preact/hooks";
import { tripletInAddress } from "../../model/service.ts";
import { Dialog } from "../parts/dialog.tsx";
import { say } from "../state/language.ts";
import { closeDialog, liveService } from "../state/place.ts";
import { loadReach, reach } from "../state/reach.ts";
import { Player } from "./player.tsx";

/** A live service in a dialog. */
export function LiveDialog() {
  const service = liveService.value;
  useEffect(() => {
    // Without the channels, the dialog has a plain title.
    if (service !== undefined && reach.value === undefined) loadReach().catch(() => {});
  }, [service]);
  if (service === undefined) return null;
  const channel = reach.value?.find(
    ({ service: own }) => own !== undefined && tripletInAddress(own) === service,
  );
  return (
    <Dialog
      key={service}
      title={channel?.name ?? say("player-live-television")}
      kind="wide"
      onClose={closeDialog}
    >
      <div class="play">
        <Player stream={{ kind: "live", service }} />
        <div class="buttons">
          <a class="button" href={`/v1/live/${service}/play.m3u`} download>
            {say("player-other")}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
