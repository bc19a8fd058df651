import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { RouteOptions } from './route.js';
import { routesOf } from './routes-of.js';

interface KnownRoute {
  method: string;
  pattern: RegExp;
  /** Number of parameters in the path. */
  parameters: number;
  options: RouteOptions;
}

/** All routes of this process, and the methods that a path allows. */
@Injectable()
export class RouteTable implements OnModuleInit {
  private routes: readonly KnownRoute[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.routes = this.discovery.getControllers().flatMap(({ metatype }) => {
      const routes = typeof metatype === 'function' ? routesOf(metatype as Type) : [];
      return routes.map((options) => ({
        method: options.method,
        pattern: patternOf(options.path),
        parameters: options.path.split(':').length - 1,
        options,
      }));
    });
  }

  all(): RouteOptions[] {
    return this.routes.map(({ options }) => options);
  }

  /** Returns whether a route has exactly this path, without parameters. */
  isDeclared(method: string, path: string): boolean {
    return this.routes.some(({ options }) => options.method === method && options.path === path);
  }

  /** The route that serves a request; null when there is none. */
  find(method: string, path: string): RouteOptions | null {
    const known = method === 'HEAD' ? 'GET' : method;
    return this.matching(path).find((route) => route.method === known)?.options ?? null;
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
  private matching(path: string): KnownRoute[] {
    const matching = this.routes.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ parameters }) => parameters));
    return matching.filter(({ parameters }) => parameters === fewest);
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z_]+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
