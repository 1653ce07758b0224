/** Refusals of a stream: the status, and the text of X-HDHomeRun-Error (info.hdhomerun.com/info/http_api). */
export const REFUSALS = {
  unknownChannel: { status: 404, text: "801 Unknown Channel" },
  busy: { status: 503, text: "803 System Busy" },
  inUse: { status: 503, text: "804 Tuner In Use" },
  allInUse: { status: 503, text: "805 All Tuners In Use" },
  tuneFailed: { status: 503, text: "806 Tune Failed" },
  noData: { status: 503, text: "807 No Video Data" },
} as const;
export type Refusal = keyof typeof REFUSALS;
