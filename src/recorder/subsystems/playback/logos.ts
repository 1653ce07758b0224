import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, parse } from "node:path";
import { readFile } from "../../../kit/files/steady-fs.ts";
import { unreadableFile } from "../../../kit/files/unreadable-file.ts";
import type { HttpClient } from "../../../kit/http/http.ts";
import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Channel } from "../../../model/service.ts";
import type { DurationMs } from "../../../model/time.ts";
import type { LogoApi, Picture } from "../../api/daemon-api.ts";
import { safePart } from "../../capture/safe-name.ts";
import { keepPicture } from "./kept-pictures.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";
import { createRecentFailures } from "./recent-failures.ts";

export interface LogoParts {
  /** People put their own logos here: `<id or name of the channel>.png`. */
  readonly folder: string;
  readonly channels: () => readonly Channel[];
  /** Base address of the guide service. */
  readonly guideUrl: string;
  readonly http: Pick<HttpClient, "request">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Fetched logos, in the folder of logos. */
const FETCHED = ".fetched";
const PICTURE = /\.(png|jpe?g|webp|gif)$/i;

/**
 * Logos of channels. A file in the folder comes first. Otherwise the recorder fetches the guide's logo when a player first
 * requests it, and keeps it, so that no player is sent to an address in somebody's listing.
 */
export function createLogos({ folder, channels, guideUrl, http, clock, signal }: LogoParts): LogoApi {
  const cache = join(folder, FETCHED);
  const fetching = new Map<string, Promise<Picture>>();
  /** By address. */
  const failures = createRecentFailures(clock, {
    forMs: PLAYBACK_LIMITS.logoRetryMs,
    most: PLAYBACK_LIMITS.logosKept,
  });

  async function ownFiles(): Promise<ReadonlyMap<string, string>> {
    const names = await readdir(folder).catch(() => []);
    return new Map(
      names.filter((name) => PICTURE.test(name)).map((name) => [keyOf(parse(name).name), join(folder, name)]),
    );
  }

  /** Concurrent requests share one answer. */
  function fetchedOnce(address: URL): Promise<Picture> {
    const running = fetching.get(address.href);
    if (running !== undefined) return running;
    const begun = fetched(address).finally(() => fetching.delete(address.href));
    fetching.set(address.href, begun);
    return begun;
  }

  async function fetched(address: URL): Promise<Picture> {
    const name = createHash("sha256").update(address.href).digest("hex");
    const file = join(cache, name);
    const kept = await readPicture(file).catch(() => undefined);
    if (kept !== undefined && (await ageOf(file)) < PLAYBACK_LIMITS.logoFreshMs) return kept;
    const fresh = failures.has(address.href) ? undefined : await requested(address);
    if (fresh !== undefined) {
      // A logo that cannot be kept is fetched again next time.
      await keepPicture(fresh.bytes, { folder: cache, name, most: PLAYBACK_LIMITS.logosKept }).catch(
        () => {},
      );
      return fresh;
    }
    if (kept !== undefined) return kept;
    throw noLogo(`The guide's logo cannot be fetched: ${address.host} does not answer with a picture.`);
  }

  async function requested(url: URL): Promise<Picture | undefined> {
    const request = { method: "GET", url, headers: {}, bodyBytesMax: PLAYBACK_LIMITS.logoBytes } as const;
    const timeoutError = () => new RecorderdError("FILE_UNREADABLE", "no answer in time");
    const deadline = { ms: PLAYBACK_LIMITS.logoFetchMs, signal, timeoutError };
    const answer = await withDeadline(clock, deadline, (within) => http.request(request, within)).catch(
      () => undefined,
    );
    const isGood = answer?.kind === "answer" && answer.status === 200;
    const picture = isGood ? pictureOf(answer.body) : undefined;
    if (picture === undefined) failures.note(url.href);
    else failures.forget(url.href);
    return picture;
  }

  async function ageOf(file: string): Promise<DurationMs> {
    return clock.now() - (await stat(file)).mtimeMs;
  }

  return {
    known: async () => {
      const own = await ownFiles();
      const withLogo = channels().filter((channel) => {
        const address = addressOf(channel, guideUrl);
        return (
          ownFileOf(channel, own) !== undefined || (address !== undefined && !failures.has(address.href))
        );
      });
      return new Set(withLogo.map(({ id }) => id));
    },
    open: async (channelId) => {
      const channel = channels().find(({ id }) => id === channelId);
      if (channel === undefined) throw noLogo("There is no such channel.");
      const own = ownFileOf(channel, await ownFiles());
      if (own !== undefined) return await readPicture(own);
      const address = addressOf(channel, guideUrl);
      if (address === undefined) throw noLogo(`${channel.name} has no logo.`);
      return await fetchedOnce(address);
    },
  };
}

function ownFileOf({ id, name }: Channel, files: ReadonlyMap<string, string>): string | undefined {
  return files.get(keyOf(id)) ?? files.get(keyOf(safePart(name)));
}

function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/**
 * The address of the guide's logo. Listings are written by strangers: only the guide's own host is asked without TLS, so that
 * no listing makes the recorder call devices of the home network.
 */
function addressOf({ icon }: Channel, guideUrl: string): URL | undefined {
  if (icon === undefined || !URL.canParse(icon, guideUrl)) return undefined;
  const url = new URL(icon, guideUrl);
  const isOwn = url.protocol === "http:" && url.host === new URL(guideUrl).host;
  return url.protocol === "https:" || isOwn ? url : undefined;
}

/** @throws RecorderdError FILE_UNREADABLE if it is not a picture, or too large */
async function readPicture(file: string): Promise<Picture> {
  try {
    const found = await stat(file);
    // A device or a pipe may never end.
    const isFit = found.isFile() && found.size <= PLAYBACK_LIMITS.logoBytes;
    const picture = isFit ? pictureOf(await readFile(file)) : undefined;
    if (picture !== undefined) return picture;
  } catch (error) {
    throw unreadableFile(file, error);
  }
  throw noLogo(`${file} is not a PNG, JPEG, WebP or GIF of at most ${PLAYBACK_LIMITS.logoBytes / 1024} KiB.`);
}

function noLogo(text: string): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", text);
}

/** The first bytes of each type. SVG is missing on purpose: it can hold scripts. */
const TYPES: Readonly<Record<string, (head: string) => boolean>> = {
  "image/png": (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (head) => head.startsWith("\xff\xd8\xff"),
  "image/webp": (head) => head.startsWith("RIFF") && head.startsWith("WEBP", 8),
  "image/gif": (head) => head.startsWith("GIF87a") || head.startsWith("GIF89a"),
};

/** A picture by its content, whatever its sender calls it; `undefined` if it is none. */
function pictureOf(bytes: Buffer): Picture | undefined {
  const head = bytes.subarray(0, 16).toString("latin1");
  const found = Object.entries(TYPES).find(([, fits]) => fits(head));
  return found && { type: found[0], bytes };
}
