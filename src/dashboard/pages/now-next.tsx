import { useComputed, useSignal } from "@preact/signals";
import { now } from "../clock.ts";
import { byChannel, byShow, type Show, type Station } from "../guide-data.ts";
import { onAirAt } from "../on-air.ts";
import { GenreName, genreMark } from "../parts/genre.tsx";
import { Logo } from "../parts/logo.tsx";
import { LongList } from "../parts/long-list.tsx";
import { QuickOrders } from "../parts/orders.tsx";
import { ProgressBar } from "../parts/progress-bar.tsx";
import { WatchLink } from "../parts/watch-link.tsx";
import { say } from "../state/language.ts";
import { isPhone } from "../state/phone.ts";
import { shareOver } from "../tonight.ts";
import { clockText, stateWords } from "../words.ts";

/** The heights of a row: on a phone, the next show is below the present one (style/guide.css). */
const PHONE_ROW_PX = 116;
const ROW_PX = 68;

interface Chooses {
  readonly onChoose: (show: Show) => void;
}

/** Each channel with the show that is on now, and the next one. On a phone, a swipe shows those after it. */
export function NowNext({
  stations,
  shows,
  onChoose,
}: Chooses & { readonly stations: readonly Station[]; readonly shows: readonly Show[] }) {
  const given = useSignal(shows);
  given.value = shows;
  const those = useComputed(() => byChannel(given.value));
  return (
    <LongList
      label={say("programme-look-now")}
      items={stations}
      rowPx={isPhone.value ? PHONE_ROW_PX : ROW_PX}
      keyOf={({ id }) => id}
      row={(station) => (
        <ChannelRow station={station} shows={those.value.get(station.id) ?? []} onChoose={onChoose} />
      )}
    />
  );
}

function ChannelRow({
  station,
  shows,
  onChoose,
}: Chooses & { readonly station: Station; readonly shows: readonly Show[] }) {
  const onAir = onAirAt(shows, now.value);
  return (
    <div class="on-air">
      <WatchLink station={station} class="on-air-channel">
        <Logo channelId={station.id} name={station.name} />
        <span dir="auto">{station.name}</span>
      </WatchLink>
      {onAir.now === undefined ? (
        <span class="faint on-air-none">{say("programme-nothing-now")}</span>
      ) : (
        <span class="on-air-show" key={onAir.now.id}>
          <NowButton show={onAir.now} onChoose={onChoose} />
          <QuickOrders show={onAir.now} />
        </span>
      )}
      <span class="on-air-later">
        {(isPhone.value ? onAir.later : onAir.later.slice(0, 1)).map((show, at) => (
          <span class="on-air-show" key={show.id}>
            {/* Keys have the grid: by Tab, the way down the channels would be long. */}
            <NextButton show={show} onChoose={onChoose} isSkipped={at > 0} />
            <QuickOrders show={show} isSkipped={at > 0} />
          </span>
        ))}
      </span>
    </div>
  );
}

function NowButton({ show, onChoose }: Chooses & { readonly show: Show }) {
  return (
    <button
      type="button"
      class="on-air-now"
      {...genreMark(show.programme.genre)}
      onClick={() => onChoose(show)}
    >
      <strong class="one-line" dir="auto">
        <Title show={show} />
      </strong>
      <span class="on-air-progress">
        <ProgressBar share={shareOver(show, now.value)} label={(values) => say("tonight-over", values)} />
        <span class="faint">{say("tonight-until", { time: clockText(show.stop) })}</span>
      </span>
    </button>
  );
}

function NextButton({
  show,
  onChoose,
  isSkipped,
}: Chooses & { readonly show: Show; readonly isSkipped: boolean }) {
  return (
    <button
      type="button"
      tabIndex={isSkipped ? -1 : 0}
      class="on-air-next"
      {...genreMark(show.programme.genre)}
      onClick={() => onChoose(show)}
    >
      <span class="faint">{clockText(show.start)}</span>{" "}
      <span class="one-line" dir="auto">
        <Title show={show} />
      </span>
    </button>
  );
}

/** With the state of its recording, and for those who do not see its colour, its genre. */
function Title({ show: { id, title, programme } }: { readonly show: Show }) {
  const recording = byShow.value.get(String(id));
  const words = recording && stateWords(recording.state);
  return (
    <>
      {words === undefined ? null : <span aria-hidden="true">{words.mark} </span>}
      {title}
      {words === undefined ? null : <span class="hidden"> · {words.text}</span>}
      <GenreName genre={programme.genre} />
    </>
  );
}
