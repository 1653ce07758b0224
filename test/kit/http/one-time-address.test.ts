import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { oneTimeAddress } from "../../../src/kit/http/one-time-address.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";

const TARGET = "http://user:password@192.0.2.1/stream?x=1";
const parts = { clock: systemClock(), patienceMs: 10_000 };
const ask = (url: string) => fetch(url, { redirect: "manual" });

describe("a one-time redirect", () => {
  it("works for the first request and for no later one", async () => {
    const address = await oneTimeAddress(TARGET, parts);
    expect(address).not.toContain("password");
    const answer = await ask(address);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, TARGET]);
    await expect(ask(address)).rejects.toThrow();
  });

  it("refuses an unknown path, and is not used up by it", async () => {
    const address = await oneTimeAddress(TARGET, parts);
    const guessed = await ask(new URL("/guess", address).href);
    expect([guessed.status, guessed.headers.get("location")]).toEqual([404, null]);
    expect((await ask(address)).status).toBe(302);
  });

  it("expires after a while", async () => {
    let over = () => {};
    const clock = {
      ...systemClock(),
      sleep: () =>
        new Promise<void>((resolve) => {
          over = resolve;
        }),
    };
    const address = await oneTimeAddress(TARGET, { clock, patienceMs: 1 });
    over();
    await expect(ask(address)).rejects.toThrow();
  });
});

describe("a one-time rtsp redirect", () => {
  const RTSP_TARGET = "rtsp://user:password@192.0.2.1/station?x=1";
  const found = `RTSP/1.0 302 Found\r\nLocation: ${RTSP_TARGET}\r\nCSeq: 7\r\n\r\n`;

  /** The answer to one request. */
  async function answerTo(address: string, path = new URL(address).pathname): Promise<string> {
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    socket.setEncoding("latin1");
    socket.write(`OPTIONS rtsp://${new URL(address).host}${path} RTSP/1.0\r\nCSeq: 7\r\n\r\n`);
    let answer = "";
    for await (const text of socket) answer += text;
    return answer;
  }

  it("R-39 works for the first request with the right path, and for no later one", async () => {
    const address = await oneTimeAddress(RTSP_TARGET, parts);
    expect(address).toMatch(/^rtsp:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    expect(await answerTo(address, "/guess")).toBe("RTSP/1.0 404 Not Found\r\nCSeq: 7\r\n\r\n");
    expect(await answerTo(address)).toBe(found);
    await expect(answerTo(address)).rejects.toThrow("ECONNREFUSED");
  });
});
