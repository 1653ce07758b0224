import { describe, expect, it } from "vitest";
import type { WebRequest } from "../../../src/kit/http/web-server.ts";
import type { DaemonApi } from "../../../src/recorder/api/daemon-api.ts";
import { playRoutes } from "../../../src/recorder/api/play-routes.ts";

describe("the report of a recording", () => {
  it.each(["{", "", "null", '"text"', "[1]"])("is not there if its sidecar holds %j", async (text) => {
    const playing = { sidecar: async () => Buffer.from(text) };
    const route = playRoutes({ playing } as unknown as DaemonApi).find(({ path }) =>
      path.endsWith("/report"),
    );
    const request = { params: { id: "r1" }, query: new URLSearchParams() } as unknown as WebRequest;
    expect(await route?.handle(request)).toMatchObject({
      status: 404,
      body: expect.stringContaining("FILE_UNREADABLE"),
    });
  });
});
