import type { WebAnswer, WebRequest } from "../../kit/http/web-server.ts";
import { parseRange } from "../../web/range.ts";
import { refused } from "../../web/route.ts";
import type { Playable } from "./daemon-api.ts";

/**
 * A recording, or the requested part of it. A growing recording is followed to its end if no end is requested: then
 * Content-Range has the size at the request, and an unknown total length.
 */
export function playAnswer(playable: Playable, { method, headers }: WebRequest): WebAnswer {
  const { size, isGrowing, etag, type } = playable;
  const common = { "accept-ranges": "bytes", "content-type": type, etag };
  const condition = headers["if-range"];
  const isSame = condition === undefined || condition === etag;
  const wanted = parseRange(isSame ? headers.range : undefined, playable);
  const isHead = method === "HEAD";
  const total = isGrowing ? "*" : String(size);
  switch (wanted.kind) {
    case "beyond":
      return refused(416, "malformed", `There are ${size} bytes.`, { "content-range": `bytes */${size}` });
    case "whole": {
      if (headers["if-none-match"] === etag) return { status: 304, headers: common };
      const length = isGrowing ? {} : { "content-length": String(size) };
      const answer = { status: 200, headers: { ...common, ...length } };
      const range = isGrowing ? { first: 0 } : { first: 0, last: size - 1 };
      return isHead || size + Number(isGrowing) === 0 ? answer : { ...answer, body: playable.read(range) };
    }
    case "part": {
      const { first, last } = wanted;
      const answer = {
        status: 206,
        headers: {
          ...common,
          "content-range": `bytes ${first}-${last ?? Math.max(first, size - 1)}/${total}`,
          ...(last === undefined ? {} : { "content-length": String(last - first + 1) }),
        },
      };
      return isHead ? answer : { ...answer, body: playable.read(wanted) };
    }
  }
}
