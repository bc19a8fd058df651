import documented from '../../../docs/openapi.json' with { type: 'json' };

export const DOCUMENT = './docs/openapi.json';

interface Described {
  operationId: string;
}

/** `links.list` → `linksList`, as generators name the functions of operations. */
export const OPERATIONS = Object.values(
  documented.paths as Record<string, Record<string, Described>>,
).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) =>
    operationId.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
);

export const COMPONENTS = Object.keys(documented.components.schemas);

export const NUMBERED = /\d$/;
