/** Restrictions on the airings of a series or keyword; `null`: any; absent: unchanged. */
interface AiringsOrder {
  readonly deviceId?: number;
  readonly channelId?: number | null;
  readonly startMinutes?: number | null;
  readonly quality?: string;
}

/** The API's value for any. */
export const ANY = -1;

/** Converts the restrictions to fields of the API. */
export function airingFields({ deviceId, channelId, startMinutes, quality }: AiringsOrder) {
  return {
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(channelId === undefined ? {} : { channel_id: channelId ?? ANY }),
    ...(startMinutes === undefined ? {} : { start_minutes: startMinutes ?? ANY }),
    ...(quality === undefined ? {} : { recording_quality: quality }),
  };
}
