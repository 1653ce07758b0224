/** The settings of a unit, by section and key; a key may be set several times. */
export type UnitSettings = ReadonlyMap<string, readonly string[]>;

/**
 * Parses a unit and its drop-ins in order, as systemd does: an empty value resets a list.
 *
 * @returns values by `Service.ExecStart`
 * @see systemd.syntax(7)
 */
export function readUnit(texts: readonly string[]): UnitSettings {
  const settings = new Map<string, readonly string[]>();
  for (const text of texts) {
    let section = "";
    for (const line of text.replace(/\\\n/g, " ").split("\n")) {
      const [, header] = /^\s*\[(.+)\]\s*$/.exec(line) ?? [];
      if (header !== undefined) section = header;
      const [, name, value = ""] = /^\s*([A-Za-z]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) continue;
      const key = `${section}.${name}`;
      settings.set(key, value === "" ? [] : [...(settings.get(key) ?? []), value]);
    }
  }
  return settings;
}

/** The value of a setting that counts once. */
export function lastOf(settings: UnitSettings, key: string): string | undefined {
  return settings.get(key)?.at(-1);
}
