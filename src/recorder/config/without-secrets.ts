import { isMap, isScalar, isSeq, parseDocument, type Scalar, visit } from "yaml";
import { TUNER_KINDS } from "../tune/registry.ts";

/** Marks an omitted value; valid wherever one may occur. */
export const LEFT_OUT = "not-in-backup";

const SECRET_ADDRESSES = TUNER_KINDS.flatMap(({ secretAddress }) => secretAddress ?? []);

/**
 * Removes the secrets from a configuration's text, which stays valid: user, password and query of every address, and other values
 * that grant access (R-39): the path of a webhook and of a tuner's secret address, and the topic of ntfy. Comments lose only users
 * and queries of addresses.
 */
export function withoutSecrets(yaml: string): string {
  const known = new Map<Scalar, (value: string) => string>();
  const replaced: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  visit(parseDocument(yaml), {
    Map(_key, map) {
      const [kind, url, topic] = ["kind", "url", "topic"].map((key) => map.get(key, true));
      if (isScalar(url) && isScalar(kind) && kind.value === "webhook") known.set(url, withoutPath);
      if (isScalar(topic) && isScalar(kind) && kind.value === "ntfy") known.set(topic, () => LEFT_OUT);
      for (const { list, key } of SECRET_ADDRESSES) {
        const items = map.get(list, true);
        for (const item of isSeq(items) ? items.items : []) {
          const address = isMap(item) ? item.get(key, true) : undefined;
          if (isScalar(address)) known.set(address, withoutPath);
        }
      }
    },
    Scalar(_key, scalar) {
      const { value, range } = scalar;
      if (typeof value !== "string" || range === undefined || range === null) return;
      const clean = withoutCredentials((known.get(scalar) ?? String)(value));
      if (clean === value) return;
      const [from, to] = range;
      // The end of a block scalar belongs to it.
      const end = yaml.slice(from, to).endsWith("\n") ? "\n" : "";
      replaced.push({ from, to, text: `${JSON.stringify(clean)}${end}` });
    },
  });
  let text = "";
  let at = 0;
  for (const { from, to, text: clean } of replaced) {
    text += withoutCredentials(yaml.slice(at, from)) + clean;
    at = to;
  }
  return text + withoutCredentials(yaml.slice(at));
}

/** The lines of such a text, from 1, with omitted values. */
export function linesToComplete(yaml: string): readonly number[] {
  return yaml.split("\n").flatMap((line, at) => (line.includes(LEFT_OUT) ? [at + 1] : []));
}

/** Scheme, user, host, path, query and fragment of every address in a text. */
const ADDRESS =
  /\b([a-z][a-z0-9+.-]*:\/\/)(?:([^\s/?#"']*)@)?([^\s/?#"'@]*)([^\s?#"']*)(\?[^\s#"']*)?(#[^\s"']*)?/gi;

function withoutCredentials(text: string): string {
  return text.replace(
    ADDRESS,
    (
      _whole,
      scheme: string,
      user: string | undefined,
      host: string,
      path: string,
      query?: string,
      fragment?: string,
    ) =>
      `${scheme}${userText(user)}${host}${path}${queryText(query)}${fragment === undefined ? "" : `#${LEFT_OUT}`}`,
  );
}

/** A multicast address has nothing before the @. */
function userText(user: string | undefined): string {
  if (user === undefined) return "";
  return user === "" ? "@" : `${LEFT_OUT}@`;
}

function queryText(query: string | undefined): string {
  if (query === undefined) return "";
  const parts = query.slice(1).split("&");
  return `?${parts.map((part) => part.replace(/(?<==).+|^[^=]+$/, LEFT_OUT)).join("&")}`;
}

function withoutPath(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)\/[^?#]+/i, `$1/${LEFT_OUT}`);
}
