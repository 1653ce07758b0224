import { describe, expect, it } from "vitest";
import { createHttpClient, type HttpClient } from "../../../src/kit/http/http.ts";
import { loopback } from "../../guide-wire/loopback.ts";

const signal = new AbortController().signal;

/** The client's user agent at the server, for each way to make a request. */
async function agentsOf(headers: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  await using server = await loopback((_seen, response) => response.end("{}"));
  const http: HttpClient = createHttpClient();
  const url = new URL(server.origin);
  await http.request({ method: "GET", url, headers, bodyBytesMax: 100 }, signal);
  await http.stream({ url, headers, bytesMax: 100, onData: () => {} }, signal);
  await http.close();
  return server.seen.map((one) => one.headers["user-agent"]);
}

describe("the HTTP client", () => {
  it("names itself in every request", async () => {
    expect(await agentsOf({})).toEqual(["recorderd", "recorderd"]);
  });

  it("uses the name that the caller gives", async () => {
    expect(await agentsOf({ "user-agent": "other" })).toEqual(["other", "other"]);
  });
});
