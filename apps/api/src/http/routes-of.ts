import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { ROUTE, type RouteOptions } from './route.js';

/** The routes a controller declares, in order. */
export function routesOf(controller: Type): RouteOptions[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = name === 'constructor' ? undefined : prototype[name];
    const options =
      typeof handler === 'function'
        ? (Reflect.getMetadata(ROUTE, handler) as RouteOptions | undefined)
        : undefined;
    return options === undefined ? [] : [options];
  });
}
