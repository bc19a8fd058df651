import type { OpenApiDocument, OperationObject } from '../document.types.js';

/** A call with its method and path. */
export type ShownOperation = OperationObject & { method: string; path: string };

export function operationsOf(paths: OpenApiDocument['paths']): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}
