/** An ntfy topic is readable by everyone who knows it. */
const SECRET_KEY = /key|token|password|secret|topic/i;

/**
 * Makes a value safe for logs and answers: addresses keep only scheme, host and port, because paths and queries may contain
 * credentials; values with the name of a secret are removed.
 *
 * @param name of the value itself, if it has one
 */
export function redact(value: unknown, name: unknown = ""): unknown {
  if (SECRET_KEY.test(String(name))) return "…";
  if (typeof value === "string") return redactAddress(value);
  if (Array.isArray(value)) return value.map((inner) => redact(inner));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner, key)]));
}

/** Reduces every address in a text to scheme, host and port. */
function redactAddress(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#\s@]*@)?([^/?#\s@]*)(\/?)(\S*)/gi,
    (_whole, scheme: string, host: string, slash: string, rest: string) =>
      `${scheme}${host}${rest === "" ? slash : "/…"}`,
  );
}
