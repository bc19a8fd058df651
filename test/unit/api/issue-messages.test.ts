import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import { readStepInput } from '../../../apps/api/src/connect/step-input.schema.js';
import { OWN_MESSAGES } from '../../../apps/api/src/schemas/issue-messages.js';
import { declaredOn, routesOf } from '../../../apps/api/src/http/routes-of.js';
import type { JsonSchema } from '../../../apps/api/src/openapi/json-schema.js';
import { JsonSchemas } from '../../../apps/api/src/openapi/json-schemas.js';
import { PLAID_CONTROLLERS } from '../../../apps/api/src/plaid/plaid-controllers.js';
import {
  PLAID_ROUTE,
  type PlaidRouteOptions,
} from '../../../apps/api/src/plaid/transport/plaid-route-options.js';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';

/** The beginnings of the messages of zod, and the values that its messages repeat. */
const OF_LIBRARY = /^(Invalid|Too (small|big)|Unrecognized)|expected|received/;
const WRONG = [null, '', 'x'.repeat(300), -1, 0.5, 1e17, true, [], ['x', 1, null], {}, { x: 1 }];
const MAX_DEPTH = 7;

const schemas = new JsonSchemas();

const requests: [call: string, schema: z.ZodType][] = [
  ...CONTROLLERS.flatMap(routesOf).flatMap(({ method, path, input = {} }) =>
    Object.entries(input).map(([part, schema]): [string, z.ZodType] => [
      `the ${part} of ${method} ${path}`,
      schema as z.ZodType,
    ]),
  ),
  ...PLAID_CONTROLLERS.flatMap((controller: Type) =>
    declaredOn<PlaidRouteOptions>(controller, PLAID_ROUTE),
  ).map(({ path, request }): [string, z.ZodType] => [`POST ${path} (Plaid)`, request]),
];

/** Values of which one part is wrong, for each part of a schema. */
function wrongValues(given: JsonSchema, depth = 0): unknown[] {
  const { $ref: reference } = given;
  const schema =
    typeof reference === 'string'
      ? (schemas.components[reference.split('/').at(-1) ?? ''] ?? {})
      : given;
  if (depth > MAX_DEPTH) return WRONG;
  const { properties = {}, items, anyOf, oneOf, const: constant } = schema;
  const members = ((anyOf ?? oneOf ?? []) as JsonSchema[]).flatMap((member) =>
    wrongValues(member, depth + 1),
  );
  const named = Object.entries(properties as Record<string, JsonSchema>);
  // The member of a union is found by its constants.
  const constants = Object.fromEntries(
    named.flatMap(([name, inner]) => ('const' in inner ? [[name, inner['const']]] : [])),
  );
  const inMembers = named.flatMap(([name, inner]) =>
    wrongValues(inner, depth + 1).map((value) => ({ ...constants, [name]: value })),
  );
  const inItems = typeof items === 'object' ? wrongValues(items as JsonSchema, depth + 1) : [];
  return [
    ...(constant === undefined ? [] : [constant]),
    ...WRONG,
    ...members,
    ...inMembers,
    ...inItems.map((value) => [value]),
  ];
}

async function messagesOf(
  schema: z.ZodType,
  value: unknown,
  options: z.core.ParseContext<z.core.$ZodIssue>,
): Promise<string[]> {
  const { error } = await schema.safeParseAsync(value, options);
  return (error?.issues ?? []).map(({ message }) => message);
}

describe('The message of a wrong input', () => {
  it.each(requests)('is in the words of this API in %s', async (call, schema) => {
    const found = new Set<string>();
    for (const value of wrongValues(schemas.of(schema, 'input')))
      for (const message of await messagesOf(schema, value, OWN_MESSAGES)) found.add(message);
    expect([...found].filter((message) => OF_LIBRARY.test(message))).toEqual([]);
    // Those of the Plaid-compatible layer follow the name of a field.
    if (!call.endsWith('(Plaid)'))
      expect([...found].filter((message) => !/^[A-Z].*\.$/.test(message))).toEqual([]);
  });

  it('would be that of the library for most requests', async () => {
    const foreign = await Promise.all(
      requests.map(async ([, schema]) => (await messagesOf(schema, 1, {})).join()),
    );
    expect(foreign.filter((message) => OF_LIBRARY.test(message)).length).toBeGreaterThan(50);
  });

  it.each([
    ['form', { values: 1 }],
    ['choice', { option_ids: [1] }],
    ['otp', { code: 1 }],
    ['otp', {}],
    ['select_accounts', { refs: null }],
    ['consent', { granted: ['x'] }],
    ['error', { action: 'x' }],
    ['redirect', { cancel: false }],
  ])('is in the words of this API for the input of a step of kind %s: %j', (kind, input) => {
    const read = readStepInput({ kind, ...input });
    const messages = 'issues' in read ? read.issues.map(({ message }) => message) : [];
    expect(messages).not.toEqual([]);
    expect(messages.filter((message) => OF_LIBRARY.test(message))).toEqual([]);
  });
});
