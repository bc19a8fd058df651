interface Route {
  method: string;
  path: string;
}

interface Known<R> {
  pattern: RegExp;
  /** Number of parameters in the path. */
  parameters: number;
  route: R;
}

/** The routes that serve a path, and the methods that it allows. */
export class Paths<R extends Route> {
  private known: readonly Known<R>[] = [];

  constructor(routes: readonly R[] = []) {
    this.declare(routes);
  }

  protected declare(routes: readonly R[]): void {
    this.known = routes.map((route) => ({
      pattern: patternOf(route.path),
      parameters: route.path.split(':').length - 1,
      route,
    }));
  }

  all(): R[] {
    return this.known.map(({ route }) => route);
  }

  /** Returns whether a route has exactly this path, without parameters. */
  isDeclared(method: string, path: string): boolean {
    return this.known.some(({ route }) => route.method === method && route.path === path);
  }

  /** The route that serves a request; null when there is none. */
  find(method: string, path: string): R | null {
    const known = method === 'HEAD' ? 'GET' : method;
    return this.matching(path).find((route) => route.method === known) ?? null;
  }

  /**
   * The methods of a path, as in an `Allow` header; empty = no such path.
   */
  methodsOf(path: string): string[] {
    const methods = this.matching(path).map(({ method }) => method);
    return [
      ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    ];
  }

  /** `/links/import` is not a link: when routes with and without parameters match, those with the fewest count. */
  private matching(path: string): R[] {
    const matching = this.known.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ parameters }) => parameters));
    return matching.filter(({ parameters }) => parameters === fewest).map(({ route }) => route);
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z_]+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
