export type JsonSchema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

export interface Operation {
  /** For example `GET /links/{id}`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Null for a call without a body. */
  body: { mediaType: string; schema: JsonSchema } | null;
  auth: 'bearer' | 'connect' | 'none';
}

interface DescribedOperation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  security?: Record<string, string[]>[];
}

export interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, described]) => operation(verb, path, described)),
  );
}

function operation(verb: string, path: string, described: DescribedOperation): Operation {
  const [content] = Object.entries(described.requestBody?.content ?? {});
  const schemes = (described.security ?? []).flatMap((scheme) => Object.keys(scheme));
  return {
    name: `${verb.toUpperCase()} ${path}`,
    method: verb.toUpperCase(),
    path,
    parameters: described.parameters ?? [],
    body: content === undefined ? null : { mediaType: content[0], schema: content[1].schema },
    auth: schemes.includes('accessToken')
      ? 'bearer'
      : schemes.includes('connectToken')
        ? 'connect'
        : 'none',
  };
}
