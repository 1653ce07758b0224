export function documents(): ReadonlySet<string>;
