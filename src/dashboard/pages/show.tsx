import { useEffect } from "preact/hooks";
import { now } from "../clock.ts";
import { genreText } from "../genre.ts";
import { byShow, type Show, stationName } from "../guide-data.ts";
import { ActionButton } from "../parts/action.tsx";
import { Bookings } from "../parts/bookings.tsx";
import { BoxChoice } from "../parts/box-choice.tsx";
import { OutcomeChip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { ChannelName } from "../parts/logo.tsx";
import { openRecordingOf, RecordButton, SeriesButton } from "../parts/orders.tsx";
import { ShowText } from "../parts/show-text.tsx";
import { resultSentences } from "../result-text.ts";
import type { RuleDraft } from "../rules/form.ts";
import { placeOrder } from "../rules/orders.ts";
import { ask, session } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { liveLink } from "../state/place.ts";
import { isReceived, loadReach, reach } from "../state/reach.ts";
import { whenText } from "../words.ts";

/** One show of the guide, with buttons to order or cancel it. */
export function ShowDialog({
  show,
  onClose,
  onAlike,
  onRule,
}: {
  readonly show: Show;
  readonly onClose: () => void;
  readonly onAlike: (title: string) => void;
  /** Begins a rule with what is known of this show. */
  readonly onRule: (draft: RuleDraft) => void;
}) {
  const { id, title, channelId, programme, stop } = show;
  const { subtitle, description, categories } = programme;
  const recording = byShow.value.get(String(id));
  const open = openRecordingOf(show);
  return (
    <Dialog title={title} onClose={onClose}>
      {recording === undefined ? null : (
        <p class="chips">
          <OutcomeChip of={recording} /> {resultSentences(recording)[0]}
        </p>
      )}
      <Facts
        of={[
          [say("show-channel"), <ChannelName channelId={String(channelId)} name={stationName(channelId)} />],
          [say("show-time"), whenText(show, now.value)],
          [say("show-episode"), episodeText(programme)],
          [say("programme-genre"), programme.genre && genreText(programme.genre)],
          [say("show-categories"), categories && reader().list(categories)],
        ]}
      />
      <div class="buttons">
        <WatchLink show={show} />
        <BoxChoice />
        {session.value?.guideServer !== undefined ? (
          <Bookings showId={id} isOver={stop <= now.value} />
        ) : open !== undefined ? (
          <ActionButton
            kind="danger"
            act={() => ask("DELETE", `/v1/timers/${encodeURIComponent(open.timerId)}`)}
            done={say("show-cancelled")}
          >
            {say("show-cancel")}
          </ActionButton>
        ) : stop > now.value ? (
          <RecordButton show={show} />
        ) : null}
        {programme.seriesId === undefined ? null : (
          <>
            <SeriesButton show={show} />
            <ActionButton
              act={() => placeOrder("/v1/series/favourites", { seriesId: programme.seriesId })}
              done={say("show-favourite-added")}
            >
              {say("show-favourite")}
            </ActionButton>
          </>
        )}
        <button type="button" onClick={() => onAlike(title)}>
          {say("show-alike")}
        </button>
        <button type="button" onClick={() => onRule({ words: title, channelIds: [channelId] })}>
          {say("rules-from-show")}
        </button>
      </div>
      {/* Below the buttons: it may be longer than a screen. */}
      <ShowText subtitle={subtitle} description={description} />
    </Dialog>
  );
}

function episodeText({ season, episode }: Show["programme"]): string | undefined {
  if (episode === undefined) return undefined;
  if (season === undefined) return String(episode);
  return say("detail-episode", { season: String(season), episode: String(episode) });
}

/** Watches the channel of a show that is on now. */
function WatchLink({ show: { channelId, start, stop } }: { readonly show: Show }) {
  const isOn = start <= now.value && now.value < stop && session.value?.guideServer === undefined;
  useEffect(() => {
    // Without the channels, there is no link.
    if (isOn && reach.value === undefined) loadReach().catch(() => {});
  }, [isOn]);
  const channel = reach.value?.filter(isReceived).find((each) => each.channelId === String(channelId));
  if (!isOn || channel === undefined) return null;
  return (
    <a class="button" href={liveLink(channel.service)}>
      {say("tonight-watch")}
    </a>
  );
}
