import { isDeepStrictEqual } from 'node:util';

type Schema = Record<string, unknown>;
/** The components of both documents, by name. */
export interface Schemas {
  earlier: Record<string, unknown>;
  later: Record<string, unknown>;
  /** The references that mean the same in both, down to their last member. */
  unchanged: ReadonlySet<string>;
}
/** A request must accept all that it accepted; a response must hold nothing that it could not hold. */
type Direction = 'request' | 'response';

interface Comparison {
  direction: Direction;
  schemas: Schemas;
  /** Pairs of components that are being compared: models may contain themselves. */
  open: ReadonlySet<string>;
}

const AT_LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const AT_MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const EXACT = ['const', 'pattern', 'format', 'uniqueItems'];

/** Both documents' components, and the references to those without a change. */
export function compareComponents(
  earlier: Record<string, unknown>,
  later: Record<string, unknown>,
): Schemas {
  const names = Object.keys(earlier);
  const referenced = new Map(
    names.map((name) => [
      name,
      new Set(
        [...JSON.stringify(earlier[name]).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, to]) => to),
      ),
    ]),
  );
  const changed = new Set(names.filter((name) => !isDeepStrictEqual(earlier[name], later[name])));
  // A set is walked to its end, names that are added on the way included.
  for (const name of changed)
    for (const user of names) if (referenced.get(user)?.has(name)) changed.add(user);
  const unchanged = names.filter((name) => !changed.has(name));
  return {
    earlier,
    later,
    unchanged: new Set(unchanged.map((name) => `#/components/schemas/${name}`)),
  };
}

/** The places of a schema at which the later one breaks a client of the earlier one. */
export function schemaChanges(
  place: string,
  direction: Direction,
  earlier: unknown,
  later: unknown,
  schemas: Schemas,
): string[] {
  return changes(place, asSchema(earlier), asSchema(later), {
    direction,
    schemas,
    open: new Set(),
  });
}

function changes(place: string, was: Schema, is: Schema, comparison: Comparison): string[] {
  const { schemas, open } = comparison;
  const pair = `${String(was['$ref'])} ${String(is['$ref'])}`;
  if (open.has(pair)) return [];
  if (was['$ref'] === is['$ref'] && schemas.unchanged.has(String(was['$ref']))) return [];
  const inside = {
    ...comparison,
    open: 'undefined undefined' === pair ? open : new Set([...open, pair]),
  };
  const [earlier, later] = [resolved(was, schemas.earlier), resolved(is, schemas.later)];
  return [
    ...typeChanges(place, earlier, later, inside),
    ...valueChanges(place, earlier, later, inside),
    ...memberChanges(place, earlier, later, inside),
    ...propertyChanges(place, earlier, later, inside),
    ...['items', 'additionalProperties'].flatMap((part) =>
      isSchema(earlier[part]) && isSchema(later[part])
        ? changes(`${place}[]`, earlier[part], later[part], inside)
        : [],
    ),
  ];
}

function typeChanges(place: string, was: Schema, is: Schema, { direction }: Comparison): string[] {
  const [before, now] = [typesOf(was), typesOf(is)];
  const [wide, narrow] = direction === 'request' ? [now, before] : [before, now];
  if (wide.length === 0) return [];
  const lost = narrow.length === 0 ? ['any type'] : narrow.filter((type) => !wide.includes(type));
  return lost.map(
    (type) => `${place}: ${type} ${direction === 'request' ? 'refused' : 'possible'} now`,
  );
}

function typesOf({ type }: Schema): string[] {
  const types = [type ?? []].flat() as string[];
  return types.includes('number') ? [...types, 'integer'] : types;
}

function valueChanges(place: string, was: Schema, is: Schema, { direction }: Comparison): string[] {
  const narrower = (limit: string, sign: 1 | -1): boolean => {
    const [before, now] = [was[limit], is[limit]] as (number | undefined)[];
    return now !== undefined && (before === undefined || sign * now > sign * before);
  };
  const isRequest = direction === 'request';
  const known = was['enum'] as unknown[] | undefined;
  const allowed = is['enum'] as unknown[] | undefined;
  return [
    ...(isRequest ? AT_LEAST.filter((limit) => narrower(limit, 1)) : []),
    ...(isRequest ? AT_MOST.filter((limit) => narrower(limit, -1)) : []),
    // A rule may be dropped in a request, and added in a response.
    ...EXACT.filter((rule) => {
      const [from, to] = isRequest ? [was[rule], is[rule]] : [is[rule], was[rule]];
      return to !== undefined && !isDeepStrictEqual(from, to);
    }),
    // A request accepts what it accepted. A closed list of responses stays as it is; an open one may grow.
    ...(isRequest ? missingIn(allowed, known) : missingIn(known, allowed)),
  ].map((rule) => `${place}: ${rule} changed`);
}

/** A list of values that leaves out some of another; without a list, any value is meant. */
const missingIn = (wide: unknown[] | undefined, narrow: unknown[] | undefined): string[] =>
  wide !== undefined && narrow?.every((value) => wide.includes(value)) !== true ? ['enum'] : [];

/** The members of a union, compared in their order: one that is added to a response is unknown to clients. */
function memberChanges(place: string, was: Schema, is: Schema, comparison: Comparison): string[] {
  const [before, now] = [membersOf(was), membersOf(is)];
  const surplus =
    comparison.direction === 'request' ? before.length - now.length : now.length - before.length;
  if (before.length === 0 && now.length === 0) return [];
  return [
    ...(surplus > 0 ? [`${place}: another union`] : []),
    ...before.flatMap((member, index) => {
      const other = counterpartOf(member, now) ?? now[index];
      return other === undefined ? [] : changes(`${place}|${index}`, member, other, comparison);
    }),
  ];
}

const membersOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] =>
  ((anyOf ?? oneOf ?? allOf ?? []) as unknown[]).map(asSchema);

const counterpartOf = ({ $ref: name }: Schema, members: Schema[]): Schema | undefined =>
  name === undefined ? undefined : members.find(({ $ref }) => $ref === name);

function propertyChanges(place: string, was: Schema, is: Schema, comparison: Comparison): string[] {
  const { direction } = comparison;
  const [before, now] = [propertiesOf(was), propertiesOf(is)];
  const [wasRequired, isRequired] = [requiredOf(was), requiredOf(is)];
  const required =
    direction === 'request'
      ? isRequired
          .filter((name) => !wasRequired.includes(name))
          .map((name) => `${place}.${name}: required now`)
      : wasRequired
          .filter((name) => name in now && !isRequired.includes(name))
          .map((name) => `${place}.${name}: may be missing now`);
  return [
    ...required,
    ...Object.entries(before).flatMap(([name, schema]) => {
      const other = now[name];
      return other === undefined
        ? [`${place}.${name}: removed`]
        : changes(`${place}.${name}`, asSchema(schema), asSchema(other), comparison);
    }),
  ];
}

const propertiesOf = ({ properties = {} }: Schema) => properties as Record<string, unknown>;
const requiredOf = ({ required = [] }: Schema) => required as string[];

function resolved(schema: Schema, components: Record<string, unknown>): Schema {
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  return asSchema(components[reference.split('/').at(-1) ?? '']);
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const asSchema = (value: unknown): Schema => (isSchema(value) ? value : {});
