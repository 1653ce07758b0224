import { describe, expect, it } from "vitest";
import { readLog, withoutAddresses } from "../../../src/recorder/capture/log-text.ts";

/** The log that ffmpeg 5.1 really wrote, addresses aside. */
const STARTED = `[info] Input #0, data, from 'http://127.0.0.1:18999/ok':
[info]   Stream #0:0: Data: none
[info] Stream mapping:
[info]   Stream #0:0 -> #0:0 (copy)
`;
const CLOSED = `[info] size=     771kB time=00:00:00.00 bitrate=N/A speed=   0x
[info] video:0kB audio:0kB subtitle:0kB other streams:771kB global headers:0kB muxing overhead: 0.000000%
`;

describe("the log of a capture", () => {
  it.each([
    [
      "[error] av_interleaved_write_frame(): No space left on device\\n[error] Error closing file x: No space left on device",
      "DISK_FULL",
    ],
    ["[error] av_interleaved_write_frame(): Input/output error", "WRITE_FAILED"],
    ["[fatal] File '/rec/x.part' already exists. Exiting.", "WRITE_FAILED"],
    ["[error] file:/rec/x.part: No such file or directory", "WRITE_FAILED"],
    ["[http @ 0x5625c10002c0] [warning] HTTP error 503 Service Unavailable", "TUNER_IN_USE"],
    ["[http @ 0x5625c10002c0] [warning] HTTP error 429 Too Many Requests", "TUNER_IN_USE"],
    ["[rtsp @ 0x55e09f77f980] [error] method SETUP failed: 503 Service Unavailable", "TUNER_IN_USE"],
    ["[udp @ 0x562b5a53a1c0] [error] bind failed: Address already in use", "TUNER_IN_USE"],
    [
      "[error] http://127.0.0.1/401: Server returned 401 Unauthorized (authorization failed)",
      "TUNER_CREDENTIALS_WRONG",
    ],
    ["[http @ 0x55de3dc832c0] [warning] HTTP error 404 Not Found", "TUNER_SERVICE_UNKNOWN"],
    [
      "[http @ 0x55de3dc832c0] [warning] HTTP error 502 Bad Gateway\\n[error] http://127.0.0.1/: Server returned 5XX Server Error reply",
      "STREAM_NO_DATA",
    ],
    [
      "[tcp @ 0x5615d47e6280] [error] Connection to tcp://127.0.0.1:1 failed: Connection refused",
      "TUNER_UNREACHABLE",
    ],
    [
      "[tcp @ 0x5611cd246000] [error] Failed to resolve hostname nosuch.invalid: Name or service not known",
      "TUNER_UNREACHABLE",
    ],
    ["[fatal] Stream map '0:p:999' matches no streams.", "STREAM_WRONG_SERVICE"],
    ["[error] x: Invalid data found when processing input", "STREAM_NO_DATA"],
    [
      "[error] Could not write header for output file #0 (incorrect codec parameters ?): Invalid argument",
      "STREAM_NO_DATA",
    ],
    ["[fatal] Unrecognized option 'mpegts_nothing'.", "FFMPEG_FAILED"],
    ["timeout: failed to run command '/usr/bin/ffmpeg': No such file or directory", "FFMPEG_MISSING"],
  ])("gives for %j: %s", (line, complaint) => {
    expect(readLog(`${STARTED}${line.replaceAll("\\n", "\n")}\n`).complaint).toBe(complaint);
  });

  it("contains no complaint in the normal case", () => {
    expect(readLog(STARTED + CLOSED)).toEqual({ closed: true, signalled: false, lastWords: "" });
  });

  it("distinguishes an end on request, an end by itself, and no end", () => {
    expect(readLog(`${STARTED}${CLOSED}[info] Exiting normally, received signal 2.`).signalled).toBe(true);
    expect(readLog(STARTED + CLOSED)).toMatchObject({ closed: true, signalled: false });
    expect(readLog(STARTED)).toMatchObject({ closed: false, signalled: false });
  });

  it("ignores unrelated lines", () => {
    expect(readLog("[info] Connection refused\n[warning] 503\n").complaint).toBeUndefined();
  });

  it.each([
    [
      "file:/srv/My films/.recorderd/r000001.1.ts.part: Input/output error",
      "r000001.1.ts.part: Input/output error",
    ],
    ["Error opening output /srv/.recorderd/r1.1.ts.part.", "Error opening output r1.1.ts.part."],
    ["failed to run command '/opt/tv/bin/ffmpeg': denied", "failed to run command 'ffmpeg': denied"],
    ["http://10.0.0.1:8001/1:0:1: Server returned 503", "http://10.0.0.1:8001: Server returned 503"],
    ["ratio 16/9 of and/or", "ratio 16/9 of and/or"],
  ])("R-39 has last lines without folders of this machine: %s", (said, told) => {
    expect(readLog(`[error] ${said}\n`).lastWords).toBe(told);
  });

  it("has last lines without ffmpeg's prefixes, and a limited number", () => {
    const line = "[mpegts @ 0x55e09f77f980] [error] Packet corrupt\n";
    expect(readLog(line).lastWords).toBe("Packet corrupt");
    const ofVersion7 = "[in#0 @ 0x5582e86ac100] [error] Error opening input: Server returned 5XX\n";
    expect(readLog(ofVersion7).lastWords).toBe("Error opening input: Server returned 5XX");
    expect(readLog(line.repeat(1000)).lastWords.length).toBeLessThanOrEqual(300);
  });
});

it.each([
  [
    "http://anna:open@10.0.0.1:80/live/anna/open/1.ts?token=x: Server returned",
    "http://10.0.0.1:80: Server returned",
  ],
  ["rtsp://an'na:o@pen@h/x failed", "rtsp://h failed"],
  ["from 'https://h/?key=1':", "from 'https://h:"],
  ["tcp://127.0.0.1:1 failed", "tcp://127.0.0.1:1 failed"],
  ["no address at all: 12:30", "no address at all: 12:30"],
])("R-39 a line of the log shows %j as %j", (text, shown) => {
  expect(withoutAddresses(text)).toBe(shown);
});
