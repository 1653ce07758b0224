/** Whoever knows a topic of ntfy can read it. */
const SECRET_KEY = /key|token|password|secret|topic/i;

/**
 * The same value, fit for logs and answers: of every address only scheme, host and port stay, for a path or a query may hold a
 * user's name and password; what has the name of a secret is gone.
 *
 * @param name of the value itself, where it has one
 */
export function redact(value: unknown, name: unknown = ""): unknown {
  if (SECRET_KEY.test(String(name))) return "…";
  if (typeof value === "string") return redactAddress(value);
  if (Array.isArray(value)) return value.map((inner) => redact(inner));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner, key)]));
}

/** Every address within a text, cut down to scheme, host and port. */
function redactAddress(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#\s@]*@)?([^/?#\s@]*)(\/?)(\S*)/gi,
    (_whole, scheme: string, host: string, slash: string, rest: string) =>
      `${scheme}${host}${rest === "" ? slash : "/…"}`,
  );
}
