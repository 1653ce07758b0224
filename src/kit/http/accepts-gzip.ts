/**
 * Whether a client accepts gzip, by its header Accept-Encoding. RFC 9110 §12.5.3 lets a client without the header get any encoding, but
 * few such clients can decompress.
 */
export function acceptsGzip(given: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const item of String(given ?? "").split(",", 20)) {
    const name = item.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    weights.set(name, Number(/;\s*q\s*=\s*([\d.]+)/i.exec(item)?.[1] ?? 1));
  }
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}
