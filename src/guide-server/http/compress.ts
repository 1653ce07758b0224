import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip } from "../../kit/http/accepts-gzip.ts";
import type { WebAnswer, WebRequest, WebRoute } from "../../kit/http/web-server.ts";

/** An answer that fits into one packet gains nothing. */
const BYTES_MIN = 1400;
/** Level 3 reduces a guide of 1 MB to a tenth in 3 ms; the usual level 6 reaches a twelfth in twice the time. */
const LEVEL = 3;
/** Compression shares its threads with the disk. Further answers go uncompressed meanwhile. */
const AT_ONCE_MAX = 2;

const compress = promisify(gzip);

/** Compresses the answers of routes for clients that accept gzip. */
export class Compression {
  #busy = 0;

  /**
   * @param route must not answer with a secret and foreign text together: the compressed length would reveal the secret
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
      const small = await compress(body, { level: LEVEL });
      return { ...answer, headers: { ...varied, "Content-Encoding": "gzip" }, body: small };
    } finally {
      this.#busy -= 1;
    }
  }
}
