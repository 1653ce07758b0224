import { asPackets, chance, type Piece, type Sent } from "./injected.ts";

/** Makes the pieces of a file of a stream's packets. */
export type Injection = (sent: readonly Sent[]) => readonly Piece[];

/** The distance of faults from both ends: cuts damage the ends. */
const EDGE = 20;

function copyWith(bytes: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array {
  const copy = Uint8Array.from(bytes);
  change(copy);
  return copy;
}

/** Different places in ascending order, at least `apart` from one another, of those that `fits`. */
function places(
  sent: readonly Sent[],
  {
    count,
    seed,
    apart = 1,
    fits = () => true,
  }: {
    readonly count: number;
    readonly seed: number;
    readonly apart?: number;
    readonly fits?: (each: Sent) => boolean;
  },
): readonly number[] {
  const next = chance(seed);
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < 100_000; tries += 1) {
    const at = EDGE + (next() % (sent.length - 2 * EDGE));
    const each = sent[at];
    if (each === undefined || !fits(each)) continue;
    if (found.every((other) => Math.abs(other - at) >= apart)) found.push(at);
  }
  if (found.length < count) throw new Error("there are not so many places");
  return found.sort((a, b) => a - b);
}

/** Each packet at one of these places becomes other pieces. */
function at(
  chosen: Iterable<number>,
  change: (piece: Extract<Piece, { readonly kind: "packet" }>) => readonly Piece[],
): Injection {
  const set = new Set(chosen);
  return (sent) =>
    sent.flatMap((each, index) => {
      const piece = { kind: "packet", sent: each, bytes: each.bytes } as const;
      return set.has(index) ? change(piece) : [piece];
    });
}

function range(from: number, count: number, step = 1): readonly number[] {
  return Array.from({ length: count }, (_, index) => from + index * step);
}

export function drops(count: number, seed: number): Injection {
  return (sent) => at(places(sent, { count, seed }), () => [])(sent);
}

export function burst(count: number, from: number): Injection {
  return at(range(from, count), () => []);
}

/** Without so many packets with payload of one PID in a row, from the fifth on. */
export function gapIn(pid: number, count: number): Injection {
  return (sent) => {
    const own = sent.flatMap((each, index) => (each.pid === pid && each.hasPayload ? [index] : []));
    return at(own.slice(4, 4 + count), () => [])(sent);
  };
}

/** @param copies how often each of them is sent again */
export function duplicates(
  count: number,
  { copies, seed }: { readonly copies: number; readonly seed: number },
): Injection {
  return (sent) => {
    const fits = ({ pid, hasPayload }: Sent) => pid !== 0x1fff && hasPayload;
    return at(places(sent, { count, seed, fits }), (piece) =>
      Array.from({ length: 1 + copies }, () => piece),
    )(sent);
  };
}

export function transportErrors(count: number, seed: number): Injection {
  return (sent) => {
    const chosen = places(sent, { count, seed, fits: ({ pid }) => pid !== 0x1fff });
    return at(chosen, (piece) => {
      const bytes = copyWith(piece.bytes, (copy) => {
        copy[1] = (copy[1] ?? 0) | 0x80;
      });
      return [{ ...piece, bytes, transportError: true }];
    })(sent);
  };
}

/** @param flag transport_scrambling_control: 1 to 3 */
export function scrambled(
  count: number,
  { flag, seed }: { readonly flag: number; readonly seed: number },
): Injection {
  return (sent) => {
    // Tables are left out: product and test would have to agree on the data that is lost with them.
    const fits = ({ pid, hasPayload }: Sent) => hasPayload && pid > 0x1f && pid !== 0x1fff;
    return at(places(sent, { count, seed, fits }), (piece) => {
      const bytes = copyWith(piece.bytes, (copy) => {
        copy[3] = (copy[3] ?? 0) | (flag << 6);
      });
      return [{ ...piece, bytes, scrambled: true }];
    })(sent);
  };
}

/** The payload of some whole units of a PID, whose headers say that it is clear: the last ones before the very last. */
export function unflagged(pid: number, units: number): Injection {
  return (sent) => {
    const starts = sent.flatMap((each, index) => (each.pid === pid && each.startsUnit ? [index] : []));
    const [from = 0] = starts.slice(-1 - units);
    const to = starts.at(-1) ?? 0;
    const own = range(from, to - from).filter((index) => sent[index]?.pid === pid && sent[index]?.hasPayload);
    return at(own, (piece) => {
      const bytes = copyWith(piece.bytes, (copy) => {
        const field = ((copy[3] ?? 0) & 0x20) === 0 ? 0 : 1 + (copy[4] ?? 0);
        for (let index = 4 + field; index < 188; index += 1) copy[index] = (copy[index] ?? 0) ^ 0x55;
      });
      return [{ ...piece, bytes, scrambled: true }];
    })(sent);
  };
}

/** @param step 1: all of them in a row, 2: every second one */
export function syncDamage(
  count: number,
  { from, step }: { readonly from: number; readonly step: number },
): Injection {
  return at(range(from, count, step), damaged);
}

/** Far enough from one another that each is one alone. */
export function scattered(count: number, seed: number): Injection {
  return (sent) => at(places(sent, { count, seed, apart: 3 }), damaged)(sent);
}

function damaged({ bytes }: Piece): readonly Piece[] {
  const broken = copyWith(bytes, (copy) => {
    copy[0] = 0xb8;
  });
  return [{ kind: "damaged", bytes: broken }];
}

/** Packets that lost bytes after their header. */
export function torn(
  count: number,
  { bytes: lost, seed }: { readonly bytes: number; readonly seed: number },
): Injection {
  return (sent) =>
    at(places(sent, { count, seed, apart: 10 }), ({ bytes }) => [
      { kind: "damaged", bytes: Uint8Array.from([...bytes.subarray(0, 188 - lost)]) },
    ])(sent);
}

/** A packet that lost its first bytes: the rest looks like junk. */
export function beheaded(from: number, lost: number): Injection {
  return at([from], ({ bytes }) => [{ kind: "junk", bytes: bytes.subarray(lost) }]);
}

/** Bytes that are lost from within one packet to within a later one; 12 bytes of the first are there at least. */
export function cutOut(
  from: number,
  { kept, to, rest }: { readonly kept: number; readonly to: number; readonly rest: number },
): Injection {
  return (sent) => {
    const pieces = asPackets(sent);
    const [first, last] = [pieces[from], pieces[to]];
    if (first?.kind !== "packet" || last === undefined) throw new Error("there are no such packets");
    const left = Uint8Array.from([...first.bytes.subarray(0, kept), ...last.bytes.subarray(188 - rest)]);
    // From 188 bytes on, the first 188 look like the first packet; if there are fewer, the reader sees that some are missing.
    const seam: readonly Piece[] =
      left.length < 188
        ? [{ kind: "damaged", bytes: left }]
        : [
            { ...first, bytes: left.subarray(0, 188) },
            { kind: "junk", bytes: left.subarray(188) },
          ];
    return [...pieces.slice(0, from), ...seam, ...pieces.slice(to + 1)];
  };
}

export const FILLS = ["zeros", "0xff", "random", "text"] as const;
export type Fill = (typeof FILLS)[number];

export function filled(length: number, fill: Fill): Uint8Array {
  const next = chance(length);
  const text = new TextEncoder().encode("HTTP/1.1 206 Partial Content\r\nGood: yes\r\n");
  const bytes = Uint8Array.from({ length }, (_, index) => {
    if (fill === "random") return next() % 256;
    if (fill === "text") return text[index % text.length] ?? 0;
    return fill === "zeros" ? 0 : 0xff;
  });
  // A sync byte in the place of one makes a packet of it that lost bytes.
  if (bytes[0] === 0x47) bytes[0] = 0x48;
  return bytes;
}

/** Bytes between two packets. The length of whole packets is that: packets whose sync byte is wrong. */
export function junk(from: number, bytes: Uint8Array): Injection {
  return (sent) => {
    const pieces = asPackets(sent);
    const packets = range(0, bytes.length / 188);
    const inside: readonly Piece[] =
      bytes.length % 188 === 0
        ? packets.map((index) => ({ kind: "damaged", bytes: bytes.subarray(188 * index, 188 * (index + 1)) }))
        : [{ kind: "junk", bytes }];
    return [...pieces.slice(0, from), ...inside, ...pieces.slice(from)];
  };
}

/** Bytes before the first packet; up to 187 of them may be the rest of one. */
export function leading(bytes: Uint8Array): Injection {
  return (sent) => [{ kind: bytes.length < 188 ? "head" : "junk", bytes }, ...asPackets(sent)];
}

/** Without the first and the last bytes. */
export function cut({ first = 0, last = 0 }: { readonly first?: number; readonly last?: number }): Injection {
  return (sent) => {
    const pieces = asPackets(sent);
    const [from, to] = [Math.ceil(first / 188), pieces.length - Math.ceil(last / 188)];
    const head = pieces[from - 1]?.bytes.subarray(188 - ((188 - (first % 188)) % 188));
    const tail = pieces[to]?.bytes.subarray(0, (188 - (last % 188)) % 188);
    const edge = (kind: "head" | "tail", bytes: Uint8Array | undefined): readonly Piece[] =>
      bytes === undefined || bytes.length === 0 ? [] : [{ kind, bytes }];
    return [...edge("head", head), ...pieces.slice(from, to), ...edge("tail", tail)];
  };
}
