/** Tags that this checker knows, with where RFC 8216 lets them stand and how often. */
const TAGS: Readonly<Record<string, { readonly in: "any" | "media" | "master"; readonly once?: true }>> = {
  "EXT-X-VERSION": { in: "any", once: true },
  "EXT-X-INDEPENDENT-SEGMENTS": { in: "any", once: true },
  "EXT-X-START": { in: "any", once: true },
  EXTINF: { in: "media" },
  "EXT-X-BYTERANGE": { in: "media" },
  "EXT-X-DISCONTINUITY": { in: "media" },
  "EXT-X-MAP": { in: "media" },
  "EXT-X-PROGRAM-DATE-TIME": { in: "media" },
  "EXT-X-TARGETDURATION": { in: "media", once: true },
  "EXT-X-MEDIA-SEQUENCE": { in: "media", once: true },
  "EXT-X-DISCONTINUITY-SEQUENCE": { in: "media", once: true },
  "EXT-X-ENDLIST": { in: "media", once: true },
  "EXT-X-PLAYLIST-TYPE": { in: "media", once: true },
  // A tag of draft-pantos-hls-rfc8216bis, which other players ignore (§6.3.1).
  "EXT-X-SERVER-CONTROL": { in: "media", once: true },
  "EXT-X-MEDIA": { in: "master" },
  "EXT-X-STREAM-INF": { in: "master" },
};

export interface CheckedSegment {
  readonly uri: string;
  readonly seconds: number;
  readonly sequence: number;
  readonly discontinuity: boolean;
  readonly dateTime?: number;
  readonly byteRange?: { readonly length: number; readonly offset?: number };
}

/** Values from the tags before a URI, for its segment. */
interface Pending extends Pick<CheckedSegment, "discontinuity" | "dateTime" | "byteRange"> {
  readonly seconds?: number;
}

export interface CheckedPlaylist {
  /** Sentences about what breaks a rule, with the section. Empty: a valid playlist. */
  readonly faults: readonly string[];
  readonly kind: "media" | "master";
  readonly segments: readonly CheckedSegment[];
  readonly variants: readonly {
    readonly uri: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
  readonly renditions: readonly Readonly<Record<string, string>>[];
  readonly isComplete: boolean;
  readonly type?: string;
  /** The value of EXT-X-START. */
  readonly start?: string;
  readonly targetSeconds?: number;
  /** Breaks before the first segment that are no longer in the playlist. */
  readonly discontinuitySequence: number;
}

/** Checks a playlist against RFC 8216, written from its text and not from our playlists. */
export function checkPlaylist(text: string): CheckedPlaylist {
  const faults: string[] = [];
  const fault = (section: string, what: string) => void faults.push(`§${section}: ${what}`);
  if (/^\ufeff/.test(text)) fault("4.1", "there is a byte order mark");
  if (/(?![\r\n])\p{Cc}/u.test(text)) fault("4.1", "there are control characters");
  if (text.normalize("NFC") !== text) fault("4.1", "the text is not in Normalization Form C");
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  if (lines[0] !== "#EXTM3U") fault("4.3.1.1", "the first line is not #EXTM3U");

  const seen = new Map<string, string[]>();
  const segments: CheckedSegment[] = [];
  const variants: { uri: string; attributes: Readonly<Record<string, string>> }[] = [];
  const renditions: Readonly<Record<string, string>>[] = [];
  let pending: Pending = { discontinuity: false };
  let variant: Readonly<Record<string, string>> | undefined;
  let sequence = 0;

  for (const line of lines.slice(1)) {
    if (line === "") continue;
    if (/^\s|\s$/.test(line)) fault("4.1", `there is white space around ${JSON.stringify(line)}`);
    if (!line.startsWith("#")) {
      uri(line);
      continue;
    }
    const [, tag, value = ""] = /^#(EXT[^:]*)(?::(.*))?$/.exec(line) ?? [];
    if (tag === undefined) continue;
    const known = TAGS[tag];
    if (known === undefined) {
      if (tag !== "EXTM3U") fault("4.3", `${tag} is not a tag`);
      else fault("4.3.1.1", "there is a second #EXTM3U");
      continue;
    }
    const values = seen.get(tag) ?? [];
    values.push(value);
    seen.set(tag, values);
    if (known.once === true && values.length > 1) fault("4.3", `${tag} stands more than once`);
    if (segments.length > 0 && ["EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE"].includes(tag))
      fault("4.3.3", `${tag} stands after a segment`);
    apply(tag, value);
  }

  function apply(tag: string, value: string): void {
    switch (tag) {
      case "EXTINF": {
        const [, seconds] = /^(\d+(?:\.\d+)?),.*$/.exec(value) ?? [];
        if (seconds === undefined) fault("4.3.2.1", `EXTINF is ${JSON.stringify(value)}`);
        if (seconds?.includes(".") === true && version() < 3) fault("7", "decimal durations need version 3");
        pending = { ...pending, seconds: Number(seconds) };
        break;
      }
      case "EXT-X-BYTERANGE": {
        const [, length, offset] = /^(\d+)(?:@(\d+))?$/.exec(value) ?? [];
        if (length === undefined) fault("4.3.2.2", `EXT-X-BYTERANGE is ${JSON.stringify(value)}`);
        if (version() < 4) fault("7", "EXT-X-BYTERANGE needs version 4");
        pending = {
          ...pending,
          byteRange: {
            length: Number(length),
            ...(offset === undefined ? {} : { offset: Number(offset) }),
          },
        };
        break;
      }
      case "EXT-X-DISCONTINUITY":
        pending = { ...pending, discontinuity: true };
        break;
      case "EXT-X-PROGRAM-DATE-TIME":
        if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.test(value))
          fault("4.3.2.6", `EXT-X-PROGRAM-DATE-TIME is ${JSON.stringify(value)}`);
        pending = { ...pending, dateTime: Date.parse(value) };
        break;
      case "EXT-X-MEDIA-SEQUENCE":
        if (!/^\d+$/.test(value)) fault("4.3.3.2", "EXT-X-MEDIA-SEQUENCE is no integer");
        sequence = Number(value);
        break;
      case "EXT-X-DISCONTINUITY-SEQUENCE":
        if (!/^\d+$/.test(value)) fault("4.3.3.3", "EXT-X-DISCONTINUITY-SEQUENCE is no integer");
        break;
      case "EXT-X-TARGETDURATION":
        if (!/^\d+$/.test(value)) fault("4.3.3.1", "EXT-X-TARGETDURATION is no integer");
        break;
      case "EXT-X-PLAYLIST-TYPE":
        if (value !== "EVENT" && value !== "VOD") fault("4.3.3.5", `the type is ${JSON.stringify(value)}`);
        break;
      case "EXT-X-STREAM-INF":
        variant = attributesOf(value);
        checkVariant(value, variant, fault);
        break;
      case "EXT-X-MEDIA":
        renditions.push(attributesOf(value));
        checkRendition(value, attributesOf(value), fault);
        break;
    }
  }

  function uri(line: string): void {
    if (/[\s"<>\\^`{|}]/.test(line)) fault("4.1", `${JSON.stringify(line)} is no URI`);
    if (variant !== undefined) {
      variants.push({ uri: line, attributes: variant });
      variant = undefined;
      return;
    }
    if (pending.seconds === undefined) fault("4.3.2.1", `${line} has no EXTINF`);
    segments.push({ uri: line, sequence, ...pending, seconds: pending.seconds ?? 0 });
    sequence += 1;
    pending = { discontinuity: false };
  }

  function version(): number {
    return Number(seen.get("EXT-X-VERSION")?.[0] ?? 1);
  }

  const kinds = new Set([...seen.keys()].map((tag) => TAGS[tag]?.in).filter((kind) => kind !== "any"));
  if (kinds.size > 1) fault("4.1", "tags of media and of master playlists are mixed");
  const kind = kinds.has("master") ? "master" : "media";
  const target = seen.get("EXT-X-TARGETDURATION")?.[0];
  if (kind === "media") {
    if (target === undefined) fault("4.3.3.1", "there is no EXT-X-TARGETDURATION");
    for (const { seconds, uri: name } of segments)
      if (Math.round(seconds) > Number(target))
        fault("4.3.3.1", `${name} lasts longer than the target duration`);
    if (pending.seconds !== undefined) fault("4.3.2.1", "the last EXTINF has no URI");
  }
  if (variant !== undefined) fault("4.3.4.2", "the last variant has no URI");
  const groups = new Set(renditions.map((each) => `${each["TYPE"]} ${each["GROUP-ID"]}`));
  for (const { attributes } of variants)
    for (const type of ["AUDIO", "SUBTITLES"])
      if (attributes[type] !== undefined && !groups.has(`${type} ${attributes[type]}`))
        fault("4.3.4.2", `no rendition is in the group ${attributes[type]}`);
  const defaults = renditions.filter((each) => each["DEFAULT"] === "YES");
  const groupsWithDefault = defaults.map((each) => `${each["TYPE"]} ${each["GROUP-ID"]}`);
  if (new Set(groupsWithDefault).size < groupsWithDefault.length)
    fault("4.3.4.1.1", "two renditions of a group are its default");
  if (kind === "master" && variants.length === 0) fault("4.3.4.2", "there is no variant");
  const named = renditions.map((each) => `${each["TYPE"]} ${each["GROUP-ID"]} ${each["NAME"]}`);
  if (new Set(named).size < named.length) fault("4.3.4.1.1", "two renditions of a group have one name");
  const type = seen.get("EXT-X-PLAYLIST-TYPE")?.[0];
  const start = seen.get("EXT-X-START")?.[0];
  if (start !== undefined && !/(^|,)TIME-OFFSET=-?\d+(\.\d+)?(,|$)/.test(start))
    fault("4.3.5.2", "EXT-X-START has no TIME-OFFSET");
  return {
    faults,
    kind,
    segments,
    variants,
    renditions,
    isComplete: seen.has("EXT-X-ENDLIST"),
    ...(type === undefined ? {} : { type }),
    ...(start === undefined ? {} : { start }),
    ...(target === undefined ? {} : { targetSeconds: Number(target) }),
    discontinuitySequence: Number(seen.get("EXT-X-DISCONTINUITY-SEQUENCE")?.[0] ?? 0),
  };
}

/**
 * Checks a playlist as the reload of an earlier one.
 *
 * @returns what breaks §6.2.1, §6.2.2 or §4.3.3.5
 */
export function checkReload(before: CheckedPlaylist, after: CheckedPlaylist): readonly string[] {
  const faults: string[] = [];
  if (before.targetSeconds !== after.targetSeconds) faults.push("§6.2.1: the target duration has changed");
  if (before.isComplete && !after.isComplete)
    faults.push("§6.2.1: a complete playlist is no longer complete");
  if (before.type !== after.type) faults.push("§4.3.3.5: the type has changed");
  if (before.start !== after.start) faults.push("§6.2.1: EXT-X-START has changed");
  const later = new Map(after.segments.map((segment) => [segment.sequence, segment]));
  const firstAfter = after.segments[0]?.sequence ?? Number.POSITIVE_INFINITY;
  const firstBefore = before.segments[0]?.sequence ?? Number.NEGATIVE_INFINITY;
  if (firstAfter < firstBefore) faults.push("§6.2.2: the media sequence number has decreased");
  if (after.segments.length > 0) {
    const removed = before.segments.filter(({ sequence }) => sequence < firstAfter);
    const breaks = removed.filter(({ discontinuity }) => discontinuity).length;
    const isFollowed = firstAfter <= (before.segments.at(-1)?.sequence ?? firstAfter) + 1;
    if (isFollowed && after.discontinuitySequence !== before.discontinuitySequence + breaks)
      faults.push("§6.2.2: the discontinuity sequence number does not count the removed breaks");
  }
  const lasts = after.segments.reduce((sum, { seconds }) => sum + seconds, 0);
  if (
    before.segments.length > 0 &&
    firstAfter > firstBefore &&
    !after.isComplete &&
    Math.round(lasts * 1000) < 3000 * (after.targetSeconds ?? 0)
  )
    faults.push("§6.2.2: segments were removed from a playlist that lasts less than three target durations");
  if (
    before.type === "EVENT" &&
    (before.segments[0]?.sequence ?? 0) < firstAfter &&
    before.segments.length > 0
  )
    faults.push("§4.3.3.5: segments of an EVENT playlist were removed");
  for (const segment of before.segments) {
    const same = later.get(segment.sequence);
    if (same === undefined) {
      if (segment.sequence >= firstAfter) faults.push(`§6.2.1: segment ${segment.sequence} is missing`);
    } else if (JSON.stringify(same) !== JSON.stringify(segment)) {
      faults.push(`§6.2.1: segment ${segment.sequence} has changed`);
    }
  }
  return faults;
}

type Fault = (section: string, what: string) => void;
type Attributes = Readonly<Record<string, string>>;

/** Attributes by the form of their values. */
const VARIANT_FORMS: Readonly<Record<string, RegExp>> = {
  BANDWIDTH: /^[1-9]\d{0,19}$/,
  "AVERAGE-BANDWIDTH": /^[1-9]\d{0,19}$/,
  CODECS: /^"[\w.-]+(,[\w.-]+)*"$/,
  RESOLUTION: /^[1-9]\d*x[1-9]\d*$/,
  "FRAME-RATE": /^\d+(\.\d+)?$/,
  AUDIO: /^"[^"]+"$/,
  SUBTITLES: /^"[^"]+"$/,
};

const RENDITION_FORMS: Readonly<Record<string, RegExp>> = {
  TYPE: /^(AUDIO|VIDEO|SUBTITLES|CLOSED-CAPTIONS)$/,
  URI: /^"[^"\s]+"$/,
  "GROUP-ID": /^"[^"]+"$/,
  NAME: /^"[^"]+"$/,
  // RFC 5646: a language of two or three letters, and perhaps more.
  LANGUAGE: /^"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"$/,
  DEFAULT: /^(YES|NO)$/,
  AUTOSELECT: /^(YES|NO)$/,
  FORCED: /^(YES|NO)$/,
  CHARACTERISTICS: /^"[a-z.-]+(,[a-z.-]+)*"$/,
  CHANNELS: /^"\d+"$/,
};

function checkVariant(text: string, attributes: Attributes, fault: Fault): void {
  checkForms(text, { attributes, forms: VARIANT_FORMS, section: "4.3.4.2", fault });
  if (attributes["BANDWIDTH"] === undefined) fault("4.3.4.2", "a variant has no BANDWIDTH");
  if (Number(attributes["AVERAGE-BANDWIDTH"] ?? 0) > Number(attributes["BANDWIDTH"]))
    fault("4.3.4.2", "the average is above the peak");
}

function checkRendition(text: string, attributes: Attributes, fault: Fault): void {
  checkForms(text, { attributes, forms: RENDITION_FORMS, section: "4.3.4.1", fault });
  for (const name of ["TYPE", "GROUP-ID", "NAME"])
    if (attributes[name] === undefined) fault("4.3.4.1", `a rendition has no ${name}`);
  const isOf = (type: string) => attributes["TYPE"] === type;
  if (isOf("SUBTITLES") && attributes["URI"] === undefined) fault("4.3.4.1", "subtitles have no URI");
  if (isOf("CLOSED-CAPTIONS") && attributes["URI"] !== undefined) fault("4.3.4.1", "captions have a URI");
  if (attributes["DEFAULT"] === "YES" && attributes["AUTOSELECT"] === "NO")
    fault("4.3.4.1", "a default rendition has AUTOSELECT=NO");
  if (attributes["FORCED"] !== undefined && !isOf("SUBTITLES")) fault("4.3.4.1", "FORCED is for subtitles");
}

function checkForms(
  text: string,
  {
    attributes,
    forms,
    section,
    fault,
  }: {
    readonly attributes: Attributes;
    readonly forms: Readonly<Record<string, RegExp>>;
    readonly section: string;
    readonly fault: Fault;
  },
): void {
  const written = Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
  if (written.join(",") !== text) fault("4.2", `${JSON.stringify(text)} is no list of attributes, each once`);
  for (const [name, value] of Object.entries(attributes)) {
    const form = forms[name];
    if (form === undefined) fault(section, `${name} is not an attribute`);
    else if (!form.test(value)) fault(section, `${name} is ${value}`);
  }
}

/** An attribute list. RFC 8216 §4.2. Quoted values keep their quotes. */
function attributesOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s][^,]*)(?:,|$)/g);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, value]));
}
