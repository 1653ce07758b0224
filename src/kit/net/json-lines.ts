import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { parseJson } from "../text/parse-json.ts";

/** Passes on the JSON values that a connection brings, one per line; a line that is too long or not JSON ends the connection. */
export function onJsonLines(
  socket: Duplex,
  { lengthMax }: { readonly lengthMax: number },
  take: (value: unknown) => void,
): void {
  // An HTTP server allows no encoding on its sockets.
  const decoder = new StringDecoder("utf8");
  let text = "";
  socket.on("data", (part: Buffer) => {
    const lines = (text + decoder.write(part)).split("\n");
    text = lines.pop() ?? "";
    if (text.length > lengthMax) return void socket.destroy();
    for (const line of lines) {
      const value = parseJson(line);
      if (value === undefined) return void socket.destroy();
      take(value);
      if (socket.destroyed) return;
    }
  });
}
