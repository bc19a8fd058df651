import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { limitedSchema } from './limited-schema.js';
import { CLOSED_LISTS, OPEN_LISTS } from './open-lists.js';
import type { InputLimits } from '../http/input/input-limits.js';
import { joinNull } from './join-null.js';

type Direction = 'input' | 'output';
type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const COMPONENTS = '#/components/schemas/';

/** Collects the JSON schemas of zod schemas; those with an id become components. Source: OpenAPI 3.1, which is JSON Schema 2020-12. */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};
  private readonly known = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  };

  /**
   * `input`: what a caller may send, before defaults and aliases; `output`: the response.
   * @param limits of a body, where its schema declares no narrower ones
   */
  of(schema: z.ZodType, io: Direction, limits?: InputLimits): JsonSchema {
    const made = this.known[io].get(schema) ?? this.make(schema, io, limits);
    this.known[io].set(schema, made);
    return made;
  }

  /** The same as a component of that name, unless it is one already. */
  named(name: string, schema: z.ZodType, io: Direction, limits?: InputLimits): JsonSchema {
    const made = this.of(schema, io, limits);
    return '$ref' in made ? made : this.add(name, made);
  }

  /** @throws Error when another schema has this name */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.components[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(
        `Two schemas have the name ${name}:\n${JSON.stringify(known)}\n${JSON.stringify(schema)}`,
      );
    this.components[name] = schema;
    return { $ref: `${COMPONENTS}${name}` };
  }

  private make(schema: z.ZodType, io: Direction, limits?: InputLimits): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...body
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      override: (context) => this.override(context, io, limits),
    });
    const finished = (made: unknown): JsonSchema => {
      const joined = joinNull(refer(made, io) as JsonSchema);
      return limits === undefined ? joined : limitedSchema(joined, limits);
    };
    for (const [id, component] of Object.entries($defs))
      this.add(nameIn(io, id), finished(component));
    return finished(body);
  }

  /** Adds what zod cannot derive: `.meta({ openapi: … })`, a JSON schema or a zod one, and discriminators. */
  private override(
    { zodSchema, jsonSchema }: Parameters<Override>[0],
    io: Direction,
    limits: InputLimits | undefined,
  ): void {
    const said = z.globalRegistry.get(zodSchema)?.['openapi'];
    const { parent } = zodSchema._zod;
    const inherited = parent === undefined ? undefined : z.globalRegistry.get(parent)?.['openapi'];
    if (said !== undefined) {
      const { default: preset, description, $ref: component } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      // A refinement of a component refers to it, unless it says more.
      const isReference = component !== undefined && said === inherited;
      const own = said instanceof z.ZodType ? this.make(said, io, limits) : said;
      Object.assign(
        jsonSchema,
        isReference ? { $ref: component } : own,
        preset === undefined ? {} : { default: preset },
        description === undefined ? {} : { description },
      );
    }
    if (zodSchema instanceof z.ZodDiscriminatedUnion)
      jsonSchema['discriminator'] = discriminatorOf(zodSchema);
    delete jsonSchema['openapi'];
    delete jsonSchema['id'];
    if (jsonSchema.type === 'integer') jsonSchema.format ??= integerFormat(jsonSchema, io);
    // A constant that generators for Java would make a text.
    if (jsonSchema.type === 'boolean') delete jsonSchema.const;
    // native-api 1: callers ignore unknown fields, so models may gain some.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (io === 'input') return;
    if (Array.isArray(jsonSchema.enum)) openList(zodSchema, jsonSchema);
    // In a response, safe-integer limits add nothing to JSON's own.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  }
}

const INT32 = 2 ** 31 - 1;

/** Numbers of responses are counts, positions and seconds; a larger one declares its format. */
function integerFormat(
  { minimum = -Infinity, maximum = Infinity }: { minimum?: number; maximum?: number },
  io: Direction,
): 'int32' | 'int64' {
  const fits = minimum >= -INT32 - 1 && maximum <= INT32;
  return io === 'output' || fits ? 'int32' : 'int64';
}

/** A list that is open in responses is another one in requests. */
const nameIn = (io: Direction, id: string): string =>
  io === 'input' && OPEN_LISTS.has(id) ? `${id}Input` : id;

/**
 * Marks an enumeration of a response whose list may grow.
 * @throws Error for one that is neither open nor closed
 */
function openList(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema): void {
  const { enum: values, $ref: component } = jsonSchema;
  const name = z.globalRegistry.get(zodSchema)?.id;
  // A described reference to a list repeats its values.
  if (component !== undefined) delete jsonSchema['enum'];
  if (component !== undefined || name === undefined || CLOSED_LISTS.has(name)) return;
  if (!OPEN_LISTS.has(name))
    throw new Error(`open-lists.ts does not say whether the list ${name} may grow.`);
  delete jsonSchema['enum'];
  jsonSchema['x-extensible-enum'] = values;
}

/** @throws Error for a member without an id, which a discriminator cannot name */
function discriminatorOf({ def: { discriminator, options } }: z.ZodDiscriminatedUnion): JsonSchema {
  const mapping = options.map((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = [...(option._zod.propValues?.[discriminator] ?? [])];
    if (id === undefined) throw new Error(`A member of a union by ${discriminator} has no id.`);
    return [String(values[0]), `${COMPONENTS}${id}`];
  });
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) };
}

function refer(value: unknown, io: Direction): unknown {
  if (Array.isArray(value)) return value.map((inner) => refer(inner, io));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace(/^#\/\$defs\/(.+)$/, (_, id: string) => `${COMPONENTS}${nameIn(io, id)}`)
        : refer(inner, io),
    ]),
  );
}
