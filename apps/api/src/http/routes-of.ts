import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { ROUTE, type RouteOptions } from './route.js';

/** The routes a controller declares, in order. */
export function routesOf(controller: Type): RouteOptions[] {
  return declaredOn<RouteOptions>(controller, ROUTE);
}

/** The declarations of a controller's handlers under a key, in order. */
export function declaredOn<Declaration>(controller: Type, key: symbol): Declaration[] {
  const handlers = Object.values(Object.getOwnPropertyDescriptors(controller.prototype));
  return handlers.flatMap(({ value }: PropertyDescriptor) => {
    const declared: unknown =
      typeof value === 'function' ? Reflect.getMetadata(key, value as object) : undefined;
    return declared === undefined ? [] : [declared as Declaration];
  });
}
