/** Sources, tests and documentation of packages make half of their size and are never read; their licences go with them. */
export function isNeeded(path) {
  const inPackages = path.slice(path.indexOf("/node_modules/"));
  if (/\/(licen[cs]e|copying|notice)[^/]*$/i.test(inPackages)) return true;
  return !/\/(\.[^/]+|tests?|integration|benchmarks?|examples?|docs)(\/|$)|\.(map|ts|mts|cts|md|markdown|sh)$/.test(
    inPackages,
  );
}
