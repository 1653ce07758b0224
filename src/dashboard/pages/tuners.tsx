import type { Snapshot, TunerStatus } from "../../model/snapshot.ts";
import type { SpaceFacts } from "../../model/space.ts";
import { now } from "../clock.ts";
import { ChannelsCard } from "../parts/channels-card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Facts } from "../parts/facts.tsx";
import { view } from "../state/live.ts";
import { detailLink, GUIDE_SERVICE_LINK } from "../state/place.ts";
import { clockText, dayText, sizeText, type Tone } from "../words.ts";
import { signInWords } from "./guide-service.tsx";

const STATES: Readonly<Record<TunerStatus["state"], { readonly tone: Tone; readonly mark: string }>> = {
  free: { tone: "plain", mark: "○" },
  tuning: { tone: "busy", mark: "◌" },
  receiving: { tone: "busy", mark: "●" },
  lent: { tone: "planned", mark: "◐" },
};

/** Tuners with their reception, the disk, and the state of the recorder. */
export function TunersPage() {
  const snapshot = view.value;
  if (snapshot === undefined) return null;
  const { space } = snapshot.facts;
  return (
    <>
      <div class="bar-of-page">
        <h1>Tuners and disk</h1>
      </div>
      <div class="cards">
        {[...snapshot.tuners.values()].map((tuner) => (
          <Tuner key={tuner.id} tuner={tuner} />
        ))}
        <ChannelsCard />
        {space === undefined ? null : <Disk space={space} />}
        <Daemon facts={snapshot.facts} />
      </div>
    </>
  );
}

function atText(at: number): string {
  return `${dayText(at, now.value)} ${clockText(at)}`;
}

function Tuner({ tuner }: { readonly tuner: TunerStatus }) {
  const { id, kind, state, multiplex, recordings, heldUntil, reception, trouble, quarantine, health } = tuner;
  return (
    <section class="card" aria-labelledby={`tuner-${id}`}>
      <h2 id={`tuner-${id}`}>{id}</h2>
      <p class="chips">
        <Chip {...STATES[state]} text={state} />
        {quarantine === undefined ? null : <Chip tone="bad" mark="✕" text="out of order" />}
      </p>
      <ul>
        {recordings.map((recordingId) => (
          <li key={recordingId}>
            <a href={detailLink(recordingId)}>
              {view.value?.recordings.get(recordingId)?.name ?? recordingId}
            </a>
          </li>
        ))}
      </ul>
      <Facts
        of={[
          ["Kind", kind],
          ["Multiplex", multiplex],
          ["Held until", heldUntil === undefined ? undefined : atText(heldUntil)],
          ["Reception", reception === undefined ? undefined : receptionText(reception)],
          ["Trouble", trouble === undefined ? undefined : `${trouble.code}, ${atText(trouble.at)}`],
          [
            "Out of order",
            quarantine === undefined
              ? undefined
              : `${quarantine.code} since ${atText(quarantine.since)}, tried again ${atText(quarantine.triedAgainAt)}`,
          ],
        ]}
      />
      {health.length === 0 ? null : (
        <table>
          <caption>What was received so far</caption>
          <thead>
            <tr>
              <th scope="col">Multiplex</th>
              <th scope="col">Failed</th>
              <th scope="col">Lock</th>
              <th scope="col">Errors</th>
            </tr>
          </thead>
          <tbody>
            {health.map(({ multiplex: key, tries, failures, lockMs, errorsPerMillion = 0 }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>
                  {Math.round(failures)} of {Math.round(tries)}
                </td>
                <td>{lockMs === undefined ? "" : `${(lockMs / 1000).toFixed(1)} s`}</td>
                <td>{Math.round(errorsPerMillion)} ppm</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function receptionText(reception: NonNullable<TunerStatus["reception"]>): string {
  const { isLocked, strengthDbm, strengthPercent, snrDb, qualityPercent, uncorrectedBlocks } = reception;
  return [
    isLocked === undefined ? "" : isLocked ? "locked" : "no lock",
    strengthDbm === undefined ? "" : `${strengthDbm} dBm`,
    strengthPercent === undefined ? "" : `strength ${Math.round(strengthPercent)} %`,
    snrDb === undefined ? "" : `SNR ${snrDb.toFixed(1)} dB`,
    qualityPercent === undefined ? "" : `quality ${Math.round(qualityPercent)} %`,
    uncorrectedBlocks === undefined ? "" : `${uncorrectedBlocks} blocks lost`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

const LEVELS: Readonly<Record<SpaceFacts["level"], { readonly tone: Tone; readonly mark: string }>> = {
  enough: { tone: "good", mark: "✓" },
  low: { tone: "warn", mark: "!" },
  full: { tone: "bad", mark: "✕" },
  offline: { tone: "bad", mark: "✕" },
};

function Disk({ space }: { readonly space: SpaceFacts }) {
  const { level, freeBytes, totalBytes, reservedBytes, fills } = space;
  const usedShare = totalBytes === 0 ? 0 : (totalBytes - freeBytes) / totalBytes;
  const reservedShare = totalBytes === 0 ? 0 : Math.min(reservedBytes, freeBytes) / totalBytes;
  return (
    <section class="card" aria-labelledby="disk-title">
      <h2 id="disk-title">Disk of recordings</h2>
      <p class="chips">
        <Chip {...LEVELS[level]} text={level} />
      </p>
      <div class="meter" aria-hidden="true">
        <span class="used" style={{ width: `${100 * usedShare}%` }} />
        <span class="reserved" style={{ width: `${100 * reservedShare}%` }} />
      </div>
      <Facts
        of={[
          ["Free", `${sizeText(freeBytes)} of ${sizeText(totalBytes)}`],
          ["Planned", sizeText(reservedBytes)],
          [
            "Full",
            fills === undefined
              ? "not in sight"
              : `${atText(fills.at)}, by ${fills.by === "plan" ? "what is planned" : "going on like this"}`,
          ],
        ]}
      />
    </section>
  );
}

function Daemon({ facts }: { readonly facts: Omit<Snapshot, "recordings" | "tuners" | "plan"> }) {
  const { version, startedAt, guide, clock, nextWakeAt, store, site } = facts;
  return (
    <section class="card" aria-labelledby="daemon-title">
      <h2 id="daemon-title">Recorder</h2>
      <Facts
        of={[
          ["Version", version],
          ["Runs since", atText(startedAt)],
          ["Timers", guide.lastGoodAt === undefined ? "not had yet" : `as of ${atText(guide.lastGoodAt)}`],
          ["Reports waiting", String(guide.reportsWaiting)],
          ["Clock", clock.text ?? (clock.trusted ? "trusted" : "not trusted")],
          ["Awake by", nextWakeAt === undefined ? undefined : atText(nextWakeAt)],
          ["Data folder", store?.text],
        ]}
      />
      <p>
        <a href={GUIDE_SERVICE_LINK}>Guide service</a> <Chip {...signInWords(guide)} />
      </p>
      {site === undefined || site.announcements.length === 0 ? null : (
        <ul>
          {site.announcements.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
