import type { z } from 'zod';
import type { ApiErrorCode } from '../../../../domain/errors/api-errors.js';

/** The groups of the API reference, in its order. */
export const TAGS = {
  Tokens:
    'Exchange the key pair of your app for an access token, which authorizes all other calls. The key pair selects the environment: Sandbox or Live.',
  Webhooks:
    'The log of the events that the service sends, with every attempt of their delivery; events can be sent again, and a listener receives copies of them without an address. Verify the signature of each webhook with the published keys.',
  'Link sessions':
    'A link session is the permission for one end user to link accounts in Connect. Create one in your back end, and exchange the token that it ends with for a link.',
  Links:
    'A link is the lasting connection to the accounts of one user at one institution. Its state shows whether its data can be refreshed.',
  'Product data':
    'Accounts, account numbers, owners, balances and transactions of a link. These calls read stored data: they never wait for an institution.',
  Institutions: 'The institutions that users of this environment can choose.',
  Users:
    'Everything of one of your users, across links. The id is the `customer_user.id` of the sessions and imports.',
  Sandbox:
    'Calls for tests: links without a user interface, transactions by script, faults, and worlds with a clock of their own. Key pairs of Live are refused.',
  Connect:
    'The calls of the linking app that the end user sees. The SDKs make them; your back end does not need them.',
  Operator: 'Probes, documents and endpoints for those who run the service and for data sources.',
} as const satisfies Readonly<Record<string, string>>;
export type Tag = keyof typeof TAGS;

/** A text that the caller may choose instead of JSON. */
export interface TextAlternative {
  type: string;
  example: string;
}

/** The response of a successful call. */
export type DocumentedResponse =
  /** JSON, with the status of the route. */
  | {
      kind: 'json';
      schema: z.ZodType;
      example?: unknown;
      cacheable?: boolean;
      alternatives?: readonly TextAlternative[];
    }
  | { kind: 'media'; type: string; example: string; cacheable?: boolean }
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
  description: string;
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
  /** Responses besides the one of success and errors, by status. */
  otherResponses?: Readonly<
    Record<number, { description: string; schema: z.ZodType; example: unknown }>
  >;
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
  options: {
    example?: z.output<Schema>;
    cacheable?: boolean;
    alternatives?: readonly TextAlternative[];
  } = {},
): DocumentedResponse {
  return { kind: 'json', schema, ...options };
}
