/** A path of routes, for example `/regions/:id/channels`, with its methods. */
interface Path {
  readonly path: string;
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/**
 * The paths of routes. A request with another method is answered with those of its path. A router could have a route for each of them,
 * but those would be five times as many as the others, and need a tenth of a second at each start.
 */
export class Paths {
  readonly #paths: readonly Path[];

  constructor(routes: readonly { readonly method: string; readonly path: string }[]) {
    const byPath = new Map<string, readonly string[]>();
    for (const { method, path } of routes)
      byPath.set(path, [...(byPath.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
    // A router prefers fixed segments.
    this.#paths = [...byPath]
      .map(([path, methods]) => ({ path, segments: path.split("/"), methods }))
      .sort((one, other) => parametersOf(one) - parametersOf(other));
  }

  /** @returns the methods of a path as a request names it; absent: there is no such path */
  methodsAt(path: string): readonly string[] | undefined {
    const segments = path.split("/");
    return this.#paths.find((one) => overlap(one.segments, segments))?.methods;
  }

  /** Paths with the methods that a router would take for those of another path, as `/rules/preview` for `/rules/:id`. */
  *mistaken(): Generator<{ readonly path: string; readonly others: readonly string[] }> {
    for (const [index, { path, segments, methods }] of this.#paths.entries()) {
      const others = this.#paths
        .slice(index + 1)
        .filter((other) => overlap(segments, other.segments))
        .flatMap((other) => other.methods.filter((method) => !methods.includes(method)));
      if (others.length > 0) yield { path, others: [...new Set(others)] };
    }
  }
}

function parametersOf({ segments }: Path): number {
  return segments.filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(":");
}

/** Whether a request can fit both. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((segment, index) => {
      const another = other[index] ?? "";
      return segment === another || isParameter(segment) || isParameter(another);
    })
  );
}
