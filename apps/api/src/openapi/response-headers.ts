import type { RouteOptions } from '../http/route.js';
import type { HeaderObject } from './document.types.js';

/** A header of responses: its name, in which `service` stands for the configured prefix, and the responses that have it. */
interface DocumentedHeader extends HeaderObject {
  name: string;
  isOf(route: RouteOptions, status: number): boolean;
}

const text = (description: string) => ({ description, schema: { type: 'string' } });
/** Outcomes of an idempotency key that are kept. Source: native-api 9. */
const isKept = (status: number) => status < 500 && ![401, 409, 429].includes(status);
const isCacheable = ({ docs: { response } }: RouteOptions) =>
  'cacheable' in response && response.cacheable === true;

/** By the names of their components. Sources: native-api 1, 5.2, 6, 8 and 9. */
const HEADERS: Readonly<Record<string, DocumentedHeader>> = {
  RequestId: {
    name: 'service-request-id',
    isOf: () => true,
    required: true,
    ...text('Identifies the call, for support: the one that the request sent, or a new one.'),
  },
  Version: {
    name: 'service-version',
    isOf: ({ family }) => family === 'native',
    ...text('The version that answered. Missing in refusals that precede the choice of a version.'),
  },
  RateLimit: {
    name: 'RateLimit',
    isOf: ({ auth }) => auth === 'bearer',
    ...text(
      'What is left of the limit of calls: `r` calls now, and `t` seconds until all of them. Missing without a limit.',
    ),
    example: '"app";r=87;t=1',
  },
  RateLimitPolicy: {
    name: 'RateLimit-Policy',
    isOf: ({ auth }) => auth === 'bearer',
    ...text(
      'The limit of calls: `q` at once, all of which return within `w` seconds. `app` is the limit of the app, `key-pair` the share of a limited key pair.',
    ),
    example: '"app";q=100;w=5',
  },
  RetryAfter: {
    name: 'Retry-After',
    isOf: ({ idempotent }, status) =>
      status === 429 || status === 503 || (status === 409 && idempotent === true),
    description: 'The seconds after which the call may succeed.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
  Challenge: {
    name: 'WWW-Authenticate',
    isOf: (_, status) => status === 401,
    required: true,
    ...text(
      'With `error="invalid_token"`, another token may be accepted. With `error="insufficient_scope"`, none of this key pair is: `scope` names the one that the call needs.',
    ),
    example: 'Bearer error="insufficient_scope", scope="links:read"',
  },
  IdempotencyReplayed: {
    name: 'idempotency-replayed',
    isOf: ({ idempotent }, status) => idempotent === true && isKept(status),
    description:
      '`true` if this is the kept outcome of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  EntityTag: {
    name: 'ETag',
    isOf: (route, status) => isCacheable(route) && (status === 200 || status === 304),
    ...text(
      'The form of the response; send it as `If-None-Match` to get a 304 while it is current.',
    ),
  },
  Location: {
    name: 'Location',
    isOf: (_, status) => status === 303,
    ...text('The page that the browser opens next.'),
  },
};

export const HEADER_COMPONENTS: Readonly<Record<string, HeaderObject>> = Object.fromEntries(
  Object.entries(HEADERS).map(([component, { name: _, isOf: __, ...header }]) => [
    component,
    header,
  ]),
);

/** The headers of one response of a route. */
export function headersOf(route: RouteOptions, status: number): Record<string, { $ref: string }> {
  return Object.fromEntries(
    Object.entries(HEADERS)
      .filter(([, { isOf }]) => isOf(route, status))
      .map(([component, { name }]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}
