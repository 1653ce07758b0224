import { expect, it } from "vitest";
import { foreignContentOf } from "../../src/mpeg-ts/foreign-content.ts";

it.each([
  ["\r\n <!DOCTYPE html><html>", "a web page"],
  ["\xef\xbb\xbf<html lang='de'>", "a web page"],
  ["#EXTM3U\n#EXT-X-VERSION:3", "a playlist, whose entries are the streams"],
  ['<?xml version="1.0"?><MPD>', "an XML document"],
  ['{"error": "busy"}', "a JSON document"],
  ["\0\0\0\x20ftypisom", "an MP4 file"],
  ["\x1aE\xdf\xa3\x01", "a Matroska file"],
  ["ID3\x04", "an MP3 stream"],
  ["\xff\xf1\x50\x80", "an AAC stream"],
  ["\0\0\x01\xbaD", "an MPEG program stream"],
  ["\x1f\x8b\b", "a gzip file"],
  ["", undefined],
  ["G@\0\x10", undefined],
  ["busy", undefined],
  ["< 5", undefined],
])("a beginning like %j is known as %s", (beginning, kind) => {
  expect(foreignContentOf(Buffer.from(beginning, "latin1"))).toBe(kind);
});
