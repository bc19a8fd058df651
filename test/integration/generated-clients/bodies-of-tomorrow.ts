import fc from 'fast-check';
import documented from '../../../docs/openapi.json' with { type: 'json' };

type Schema = Record<string, unknown>;

/** A value that no list of the document has. */
export const TOMORROW = 'value.of_tomorrow';

const SCHEMAS = documented.components.schemas as Record<string, Schema>;

/** The components whose list may grow. */
export const OPEN_LISTS = Object.keys(SCHEMAS).filter(
  (name) => 'x-extensible-enum' in (SCHEMAS[name] ?? {}),
);

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );

/** The models of responses and webhooks, however deep they lie in them. */
function receivedModels(): string[] {
  const responses = Object.values(documented.paths).flatMap((methods) =>
    Object.values(methods as Record<string, { responses: unknown }>).map(
      (operation) => operation.responses,
    ),
  );
  const found = new Set(namesIn([responses, documented.webhooks]));
  // A set is walked to its end, names that are added on the way included.
  for (const name of found) for (const inner of namesIn(SCHEMAS[name])) found.add(inner);
  return [...found].filter((name) => 'properties' in (SCHEMAS[name] ?? {}));
}

/** Each received model with a body that has every member, and a value of tomorrow at each open list. */
export function bodiesOfTomorrow(): { bodies: [model: string, body: unknown][]; lists: string[] } {
  const lists = new Set<string>();
  const bodies = receivedModels().map((name): [string, unknown] => [
    name,
    valueOf(SCHEMAS[name] ?? {}, lists),
  ]);
  return { bodies, lists: [...lists] };
}

function valueOf(schema: Schema, lists: Set<string>): unknown {
  const { $ref: reference, const: constant, enum: values, examples, items } = schema;
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    if (OPEN_LISTS.includes(name)) lists.add(name);
    return valueOf(SCHEMAS[name] ?? {}, lists);
  }
  if ('x-extensible-enum' in schema) return TOMORROW;
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  const members = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  const [member] = members?.filter(({ type }) => type !== 'null') ?? [];
  if (member !== undefined) return valueOf(member, lists);
  const [type] = [schema['type']].flat().filter((each) => each !== 'null');
  if (Array.isArray(examples) && type !== 'object') return examples[0];
  switch (type) {
    case 'object':
      return objectOf(schema, lists);
    case 'array':
      return [valueOf(items as Schema, lists)];
    case 'string':
      return textOf(schema);
    case 'boolean':
      return true;
    default:
      return type === undefined ? {} : (schema['minimum'] ?? 1);
  }
}

function objectOf(schema: Schema, lists: Set<string>): unknown {
  const { properties = {}, additionalProperties: further, propertyNames: names } = schema;
  const members = Object.entries(properties as Record<string, Schema>).map(
    ([name, inner]): [string, unknown] => [name, valueOf(inner, lists)],
  );
  if (members.length > 0 || typeof further !== 'object') return Object.fromEntries(members);
  const key = names === undefined ? 'key' : String(valueOf(names as Schema, lists));
  return { [key]: valueOf(further as Schema, lists) };
}

function textOf({ format, pattern }: Schema): string {
  if (format === 'date') return '2026-03-02';
  if (format === 'date-time') return '2026-03-02T10:15:32.418Z';
  if (format === 'uri') return 'https://app.example/';
  if (typeof pattern !== 'string') return 'text';
  const [text = ''] = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 });
  return text;
}
