import type { z } from 'zod';
import type { ApiErrorCode } from '../../../../domain/errors/api-errors.js';

/** The groups of the API reference, in its order. */
export const TAGS = [
  'Tokens',
  'Webhooks',
  'Link sessions',
  'Links',
  'Product data',
  'Institutions',
  'Users',
  'Sandbox',
  'Connect',
  'Operator',
] as const;
export type Tag = (typeof TAGS)[number];

/** The response of a successful call. */
export type DocumentedResponse =
  /** JSON, with the status of the route. */
  | { kind: 'json'; schema: z.ZodType; example?: unknown; cacheable?: boolean }
  | { kind: 'media'; type: string; cacheable?: boolean }
  | { kind: 'nothing' }
  /** A redirect or a page for a browser. */
  | { kind: 'browser' };

/** The part of a route's entry in the OpenAPI document that its declaration does not imply. */
export interface RouteDocs {
  /** `resource.verb`; generated clients name their functions after it. */
  id: string;
  tag: Tag;
  /** One line, without a period at its end. */
  summary: string;
  /** Details for callers beyond the summary: paragraphs of Markdown, with code in backticks. */
  description?: string;
  /** A body that the route accepts. `buildDocument` checks it against the schema of the route. */
  requestExample?: unknown;
  response: DocumentedResponse;
  /** Errors besides those that follow from the declaration (`errors-of-route.ts`). */
  errors?: readonly ApiErrorCode[];
  /** Errors that follow from the declaration but are never returned. */
  exceptErrors?: readonly ApiErrorCode[];
  /** The statuses of an error, where they differ from `API_ERRORS`. */
  errorStatuses?: Partial<Readonly<Record<ApiErrorCode, readonly number[]>>>;
  /** Errors have the format of RFC 6749. */
  oauthErrors?: true;
  /** Bodies besides the one of success and that of errors, by status. */
  otherResponses?: Readonly<Record<number, z.ZodType>>;
}

/** The documentation of one controller, by handler. */
export function routeDocs<Handler extends string>(
  tag: Tag,
  docs: Readonly<Record<Handler, Omit<RouteDocs, 'tag'>>>,
): Readonly<Record<Handler, RouteDocs>> {
  const tagged = Object.entries<Omit<RouteDocs, 'tag'>>(docs).map(([handler, doc]) => [
    handler,
    { ...doc, tag },
  ]);
  return Object.fromEntries(tagged) as Record<Handler, RouteDocs>;
}

/** A response with a JSON body. `buildDocument` checks the example against the schema. */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  options: { example?: z.output<Schema>; cacheable?: boolean } = {},
): DocumentedResponse {
  return { kind: 'json', schema, ...options };
}
