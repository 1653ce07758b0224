import type { Document } from "../../guide-wire/documents.ts";
import { type Device, plainText, type Timer, type Show as WireShow } from "../../guide-wire/records.ts";
import { formatInstant, MINUTE, SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Show } from "../data/show.ts";
import type { GuideTables, OwnedDevice, StoredTimer } from "../data/tables.ts";
import { zoneOf } from "../domain/complete-records.ts";
import { deviceType } from "../domain/device-types.ts";
import type { SignedIn } from "../domain/login.ts";
import { effectivePadding } from "../domain/timers.ts";

/** A timer for clients. Fields outside the API are echoed, but never replace one of its own. */
export function wireTimer(timer: StoredTimer): Timer {
  const padding = effectivePadding(timer);
  return {
    ...timer.extra,
    id: timer.id,
    name: timer.name,
    device_id: timer.deviceId,
    channel_id: timer.channelId,
    show_id: timer.showId,
    start_time: formatInstant(timer.start),
    duration_minutes: timer.durationMinutes,
    action: timer.action,
    state: timer.state,
    message: timer.message,
    series_recording_id: timer.seriesRecordingId ?? 0,
    keyword_id: timer.keywordId ?? 0,
    eit_id: timer.bookedEitId ?? timer.eitId ?? 0,
    ...withoutUndefined({
      "pre-padding": padding.before,
      "post-padding": padding.after,
      "padding-type": timer.paddingType,
      rule_id: timer.ruleId,
      priority: timer.priority,
      keep_newest: timer.keepNewest,
      folder: timer.folder,
    }),
  };
}

function wireDevice({ id, uid, label, typeId }: OwnedDevice): Device {
  return { id, uid, label, type_id: typeId };
}

/** Devices, and each of their types once. */
export function devicesDocument(tables: GuideTables, devices: readonly OwnedDevice[]): Document<"devices"> {
  const ids = [...new Set(devices.map(({ typeId }) => typeId))];
  const types = ids.map((id) => deviceType(tables, id));
  return { types, devices: devices.map(wireDevice) };
}

export function wireShow(show: Show): WireShow {
  const stop = show.start + show.durationMinutes * MINUTE;
  return {
    id: show.id,
    channel_id: show.channelId,
    series_id: show.seriesId,
    episode_id: show.episodeId,
    start: formatInstant(show.start),
    stop: formatInstant(stop),
    start_unix: Math.floor(show.start / SECOND),
    stop_unix: Math.floor(stop / SECOND),
    title: show.title,
    subtitle: show.subtitle,
    desc: show.desc,
    category: show.category,
    eit_id: show.eitId,
    rating: show.rating,
    date: show.date,
    deleted_record: show.gone === true ? 1 : 0,
  };
}

/** The published title of a series, else the title from its shows. */
export function titleOf(tables: GuideTables, seriesId: string): string {
  const title = tables.series.get(seriesId)?.summary.title;
  return title === undefined ? (tables.shows.firstOf(seriesId)?.title ?? "") : plainText(title);
}

export function loginDocument(
  tables: GuideTables,
  { account, user, token, device }: SignedIn,
): Document<"login"> {
  const region = tables.regions.get(String(account.regionId));
  return {
    member: {
      id: account.id,
      email_address: user.id,
      token: token.secret,
      token_expiry: formatInstant(token.expiresAt),
      region_id: account.regionId,
      ...(region === undefined ? {} : { timezone: zoneOf(region) }),
    },
    ...(device === undefined ? {} : { device: wireDevice(device) }),
  };
}
