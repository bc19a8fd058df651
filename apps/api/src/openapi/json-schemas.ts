import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Collects the JSON schemas of zod schemas; those with an id become components. Source: OpenAPI 3.1, which is JSON Schema 2020-12. */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};
  private readonly known = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  };

  /** `input`: what a caller may send, before defaults and aliases; `output`: the response. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const made = this.known[io].get(schema) ?? this.make(schema, io);
    this.known[io].set(schema, made);
    return made;
  }

  /** The same as a component of that name, unless it is one already. */
  named(name: string, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const made = this.of(schema, io);
    if ('$ref' in made) return made;
    this.components[name] = made;
    return { $ref: `#/components/schemas/${name}` };
  }

  private make(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...body
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      override: io === 'input' ? override : withoutSafeLimits,
    });
    for (const [id, component] of Object.entries($defs))
      this.components[id] = refer(component) as JsonSchema;
    return refer(body) as JsonSchema;
  }
}

/** Documentation that a schema declares itself where zod cannot derive it: `.meta({ openapi: … })`, a JSON schema or a zod one. */
function override({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const said = z.globalRegistry.get(zodSchema)?.['openapi'];
  if (said !== undefined) {
    for (const key of Object.keys(jsonSchema)) if (key !== 'default') delete jsonSchema[key];
    Object.assign(jsonSchema, said instanceof z.ZodType ? describedBy(said) : said);
  }
  delete jsonSchema['openapi'];
  delete jsonSchema['id'];
  // native-api 1: callers ignore unknown fields, so models may gain some.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** In a response, safe-integer limits add nothing to JSON's own. */
function withoutSafeLimits(context: Parameters<typeof override>[0]): void {
  override(context);
  const { jsonSchema } = context;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** A schema that is documented as an equivalent one. */
function describedBy(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override,
  });
  return body;
}

function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : refer(inner),
    ]),
  );
}
