import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { authorizationFor, type Credentials } from "../../../src/kit/http/http-auth.ts";
import { outOfPatience } from "../../patience.ts";

const Exchange = z.strictObject({
  /** Method and path. Names in braces stand for what differs from server to server. */
  request: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  /** The state that the server is in, or who asks it; see the tests. */
  when: z.string().optional(),
  answer: z.strictObject({
    /** `closed`: the connection is closed without an answer. */
    status: z.union([z.int(), z.literal("closed")]),
    /** How values begin. */
    headers: z.record(z.string(), z.string()).optional(),
    /** First bytes of the body, hexadecimal. */
    begin: z.string().optional(),
    /** Parts of the body, which is JSON, as `JSON.stringify` writes it. */
    parts: z.array(z.string()).optional(),
  }),
});
export type Exchange = z.infer<typeof Exchange>;
const PATIENCE = outOfPatience;
const Recorded = z.strictObject({ server: z.string(), exchanges: z.array(Exchange) });

/** The answers of a real server: `fakes/NAME.json`. */
export async function recordedExchanges(name: string): Promise<readonly Exchange[]> {
  const file = resolve(import.meta.dirname, "fakes", `${name}.json`);
  return Recorded.parse(JSON.parse(await readFile(file, "utf8"))).exchanges;
}

/** The address and account of a request. */
export interface Asked {
  readonly address: string;
  /** The values of the names in braces on this server. */
  readonly names: Readonly<Record<string, string>>;
  readonly as?: Credentials;
}

/** A server's answer to the same request, as far as the recorded answer says something about it. */
export async function answerOf(
  asked: Asked,
  { request, headers = {}, answer }: Exchange,
): Promise<Exchange["answer"]> {
  const [method = "", pattern = ""] = request.split(" ");
  const path = pattern.replace(/\{(\w+)\}/g, (whole, name) => asked.names[name] ?? whole);
  const ended = new AbortController();
  try {
    return await like(answer, await send(asked, { method, path, headers, signal: ended.signal }));
  } catch (error) {
    if (error instanceof TypeError) return { status: "closed" };
    throw error;
  } finally {
    ended.abort();
  }
}

/** @throws TypeError when the connection is closed without an answer */
export async function send(
  { address, as }: Pick<Asked, "address" | "as">,
  {
    method = "GET",
    path,
    headers = {},
    signal,
  }: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<Response> {
  const options = { method, redirect: "manual", signal: AbortSignal.any([signal, PATIENCE()]) } as const;
  const first = await fetch(`${address}${path}`, { ...options, headers });
  const challenge = first.headers.get("www-authenticate");
  const authorization = challenge && as && authorizationFor({ challenge, method, uri: path }, as);
  if (!authorization) return first;
  await first.arrayBuffer();
  return await fetch(`${address}${path}`, { ...options, headers: { ...headers, authorization } });
}

async function like(
  { headers, begin, parts }: Exchange["answer"],
  said: Response,
): Promise<Exchange["answer"]> {
  const starts = Object.entries(headers ?? {}).map(
    ([name, value]) => [name, (said.headers.get(name) ?? "").slice(0, value.length)] as const,
  );
  const first = begin === undefined ? undefined : (await said.body?.getReader().read())?.value;
  const body = parts === undefined ? "" : JSON.stringify(await said.json());
  return {
    status: said.status,
    ...(headers && { headers: Object.fromEntries(starts) }),
    ...(begin && { begin: Buffer.from(first ?? []).toString("hex", 0, begin.length / 2) }),
    ...(parts && { parts: parts.filter((part) => body.includes(part)) }),
  };
}
