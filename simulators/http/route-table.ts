/** One address. Parameters of its path stand in braces: `/accounts/{uid}/details`. */
export interface RouteEntry<Handler> {
  method: string;
  path: string;
  handle: Handler;
}

export interface FoundRoute<Handler> extends RouteEntry<Handler> {
  /** Decoded. */
  params: Readonly<Record<string, string>>;
}

/** The methods of an address that lacks the requested one; none = an unknown address. */
export interface NoRoute {
  allowed: readonly string[];
}

/** Finds routes by method and path. Paths match segment by segment, in the spelling of the table. */
export class RouteTable<Handler> {
  private readonly entries: readonly (RouteEntry<Handler> & { pattern: readonly string[] })[];

  /** @param isValue what a parameter may be, decoded; everything by default */
  constructor(
    routes: readonly RouteEntry<Handler>[],
    private readonly isValue: (value: string) => boolean = () => true,
  ) {
    this.entries = routes.map((route) => ({ ...route, pattern: route.path.split('/') }));
  }

  find(method: string, pathname: string): FoundRoute<Handler> | NoRoute {
    const segments = pathname.split('/');
    const allowed: string[] = [];
    for (const { pattern, ...route } of this.entries) {
      const params = this.match(pattern, segments);
      if (params === null) continue;
      if (route.method === method) return { ...route, params };
      allowed.push(route.method);
    }
    return { allowed };
  }

  private match(
    pattern: readonly string[],
    segments: readonly string[],
  ): Record<string, string> | null {
    if (pattern.length !== segments.length) return null;
    const params: Record<string, string> = {};
    for (const [index, part] of pattern.entries()) {
      const segment = segments[index] ?? '';
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) {
        if (part !== segment) return null;
        continue;
      }
      const value = decode(segment);
      if (value === null || value === '' || !this.isValue(value)) return null;
      params[name] = value;
    }
    return params;
  }
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
