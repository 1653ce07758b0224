export function readCatalogue(language: string): string;
export function keysOf(catalogue: string): ReadonlyMap<string, ReadonlySet<string>>;
