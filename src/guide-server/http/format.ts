import type { EncodeOptions, WireEncoding, WireFormat } from "../../guide-wire/codec.ts";
import { formatOfType } from "../../guide-wire/codec.ts";
import type { WebRequest } from "../../kit/http/web-server.ts";

/** The format and encoding of an answer. */
export type AnswerFormat = Required<Pick<EncodeOptions, "format" | "encoding">>;

/**
 * The format comes from the path's extension, else Accept, else the request's Content-Type, else JSON. The encoding
 * comes from the parameter `encoding`, else Accept-Charset, else UTF-8. Unknown values are ignored: an answer is
 * better than none.
 */
export function answerFormat({
  extension,
  headers,
  query,
}: Pick<WebRequest, "extension" | "headers" | "query">): AnswerFormat {
  const own = headers["content-type"];
  const format =
    (extension === "json" || extension === "xml" ? extension : undefined) ??
    preferred(headers.accept, formatOfType) ??
    (own === undefined ? undefined : formatOfType(own)) ??
    "json";
  const charset = headers["accept-charset"];
  const encoding =
    encodingOf(query.get("encoding") ?? "") ??
    preferred(Array.isArray(charset) ? charset[0] : charset, encodingOf) ??
    "UTF-8";
  return { format: format satisfies WireFormat, encoding };
}

function encodingOf(name: string): WireEncoding | undefined {
  if (/^\s*utf-?8\s*$/i.test(name)) return "UTF-8";
  return /^\s*(iso-?8859-1|latin-?1)\s*$/i.test(name) ? "ISO-8859-1" : undefined;
}

/** The best known entry of a weighted list, `a;q=0.5, b`; the first of equals. @see RFC 9110 §12.4.2 */
function preferred<T>(list: string | undefined, known: (name: string) => T | undefined): T | undefined {
  let best: { readonly value: T; readonly weight: number } | undefined;
  for (const item of (list ?? "").split(",", 50)) {
    const value = known(item.split(";", 1)[0]?.trim() ?? "");
    const weight = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(item)?.[1] ?? 1);
    if (value !== undefined && weight > (best?.weight ?? 0)) best = { value, weight };
  }
  return best?.value;
}
