/** What is asked of the airings of a series or keyword; `null`: any; left out: as it is. */
interface AiringsOrder {
  readonly deviceId?: number;
  readonly channelId?: number | null;
  readonly startMinutes?: number | null;
  readonly quality?: string;
}

/** How the interface says any. */
export const ANY = -1;

/** The same in the interface's fields. */
export function airingFields({ deviceId, channelId, startMinutes, quality }: AiringsOrder) {
  return {
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(channelId === undefined ? {} : { channel_id: channelId ?? ANY }),
    ...(startMinutes === undefined ? {} : { start_minutes: startMinutes ?? ANY }),
    ...(quality === undefined ? {} : { recording_quality: quality }),
  };
}
