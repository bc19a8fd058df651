import type { Type } from '@nestjs/common';
import { z } from 'zod';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { declaredOn, routesOf } from '../../../apps/api/src/http/routes-of.js';
import type { JsonSchema } from '../../../apps/api/src/openapi/json-schema.js';
import { JsonSchemas } from '../../../apps/api/src/openapi/json-schemas.js';
import { PLAID_CONTROLLERS } from '../../../apps/api/src/plaid/plaid-controllers.js';
import {
  PLAID_ROUTE,
  type PlaidRouteOptions,
} from '../../../apps/api/src/plaid/transport/plaid-route-options.js';

const SAFE = Number.MAX_SAFE_INTEGER;

const requests: [name: string, schema: z.ZodType][] = [
  ...CONTROLLERS.flatMap(routesOf).flatMap(({ method, path, input = {} }) =>
    Object.values(input).map((schema: z.ZodType): [string, z.ZodType] => [
      `${method} ${path}`,
      schema,
    ]),
  ),
  ...PLAID_CONTROLLERS.flatMap((controller: Type) =>
    declaredOn<PlaidRouteOptions>(controller, PLAID_ROUTE),
  ).map(({ path, request }): [string, z.ZodType] => [`POST ${path} (Plaid)`, request]),
];

interface NumericField {
  name: string;
  schema: JsonSchema;
}

const schemas = new JsonSchemas();

function numericFields(value: unknown, name: string): NumericField[] {
  if (Array.isArray(value)) return value.flatMap((inner) => numericFields(inner, name));
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as JsonSchema;
  const { $ref: reference } = schema;
  if (typeof reference === 'string')
    return numericFields(schemas.components[reference.split('/').at(-1) ?? ''], name);
  const own = [schema['type']].flat().some((type) => type === 'integer' || type === 'number');
  const inner = Object.entries(schema).flatMap(([key, part]) =>
    key === 'properties'
      ? Object.entries(part as object).flatMap(([property, of]) =>
          numericFields(of, `${name} ${property}`),
        )
      : numericFields(part, name),
  );
  return own && !('enum' in schema) ? [{ name, schema }, ...inner] : inner;
}

const fields = requests.flatMap(([name, schema]) =>
  numericFields(schemas.of(schema, 'input'), name),
);

describe('The numbers of requests', () => {
  it('are found in both families', () => {
    const names = fields.map(({ name }) => name);
    expect(names).toContain('GET /links/:id/transactions page');
    expect(names).toContain('POST /institutions/get (Plaid) offset');
    expect(names).toContain('POST /sandbox/link custom_sandbox_data transactions amount');
  });

  it('all have a minimum and a maximum in their schemas, within those of JavaScript', () => {
    const unbounded = fields.filter(({ schema }) => {
      const lowest = schema['minimum'] ?? schema['exclusiveMinimum'];
      const highest = schema['maximum'] ?? schema['exclusiveMaximum'];
      return !(Number(lowest) >= -SAFE && Number(highest) <= SAFE);
    });
    expect(unbounded.map(({ name }) => name)).toEqual([]);
  });

  it('that are whole and select rows fit the int of PostgreSQL', () => {
    const wide = fields.filter(
      ({ name, schema }) =>
        schema['type'] === 'integer' &&
        /\b(page|size|limit|count|offset|seq|after_seq|days_requested)$/.test(name) &&
        Number(schema['maximum']) > 2 ** 31 - 1,
    );
    expect(wide.map(({ name }) => name)).toEqual([]);
  });
});
