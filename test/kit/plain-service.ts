import { type Format, SERVICE, type ServiceScript, type StreamScript } from "./service-script.ts";

/** One elementary stream with nothing special. */
export function plainStream(pid: number, format: Format, more: Partial<StreamScript> = {}): StreamScript {
  return {
    pid,
    format,
    unitMs: 40,
    firstMs: 0,
    lead: { meanMs: 700, swingMs: 300, periodMs: 8000 },
    reorders: false,
    saysStill: false,
    packets: 1,
    outages: [],
    neverSent: false,
    ...more,
  };
}

/** 20 s of a service whose PCRs have a PID of their own. */
export function plainService(
  streams: readonly StreamScript[],
  more: Partial<ServiceScript> = {},
): ServiceScript {
  return {
    service: SERVICE,
    durationMs: 20_000,
    streams,
    maps: [{ fromMs: 0, streams: streams.map((_, index) => index), pcrPid: 0x1f0, pcrsOn: 0x1f0 }],
    pcrEveryMs: 40,
    pcrsInPictures: false,
    clockMs: 5000,
    jumps: [],
    losses: [],
    tablesFromMs: 0,
    tablesEveryMs: 100,
    ...more,
  };
}
