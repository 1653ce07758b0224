import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { WebAnswer, WebRequest, WebRoute } from "../../kit/web-server.ts";

/** Less than a packet is no quicker for being smaller. */
const BYTES_MIN = 1400;
/** Makes a tenth of a guide of 1 MB in 3 ms; the usual level 6 takes twice as long for a twelfth. */
const LEVEL = 3;
/** So many at once, in threads that the disk needs as well: whoever asks meanwhile gets the answer as it is. */
const AT_ONCE_MAX = 2;

const packed = promisify(gzip);

/** Compresses the answers of routes for clients that accept gzip. */
export class Compression {
  #busy = 0;

  /**
   * @param route one whose answers hold no secret beside what a stranger can have said: their length would tell of it
   * (https://www.breachattack.com)
   */
  route(route: WebRoute): WebRoute {
    return { ...route, handle: async (request) => this.#answer(request, await route.handle(request)) };
  }

  async #answer(request: WebRequest, answer: WebAnswer): Promise<WebAnswer> {
    const { body, headers = {} } = answer;
    if (!Buffer.isBuffer(body) || body.length < BYTES_MIN) return answer;
    const varied = { ...headers, Vary: [headers["Vary"], "Accept-Encoding"].filter(Boolean).join(", ") };
    if (!acceptsGzip(request.headers["accept-encoding"]) || this.#busy >= AT_ONCE_MAX) {
      return { ...answer, headers: varied };
    }
    this.#busy += 1;
    try {
      const small = await packed(body, { level: LEVEL });
      return { ...answer, headers: { ...varied, "Content-Encoding": "gzip" }, body: small };
    } finally {
      this.#busy -= 1;
    }
  }
}

/** Whoever says nothing of encodings takes any, but mostly has forgotten to say so. @see RFC 9110 §12.5.3 */
function acceptsGzip(given: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const item of String(given ?? "").split(",", 20)) {
    const name = item.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    weights.set(name, Number(/;\s*q\s*=\s*([\d.]+)/i.exec(item)?.[1] ?? 1));
  }
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}
