import type { FuzzRequest } from './requests.js';
import type { Resources, Tenant } from './tenants.js';

interface Place {
  /** Matches the names of the operations. */
  of: RegExp;
  valueIn: (request: FuzzRequest) => unknown;
  kind: keyof Resources;
  /** The documented refusal for data of another tenant. */
  refusal: string;
}

const path = (name: string) => (request: FuzzRequest) => request.pathValues[name];
const query = (name: string) => (request: FuzzRequest) =>
  new URLSearchParams(request.query).get(name);
const body = (name: string) => (request: FuzzRequest) => fieldOf(request.body, name);

/**
 * Sources: native-api 1.3, 3.3, 3.6, 3.8, 5.2; link-lifecycle 14. Any other call that names an id
 * just finds nothing.
 */
const PLACES: readonly Place[] = [
  {
    of: / (\/sandbox)?\/links\/\{id\}/,
    valueIn: path('id'),
    kind: 'links',
    refusal: 'link_error.unauthorized_access',
  },
  {
    of: / \/webhooks\/test\/link\//,
    valueIn: path('id'),
    kind: 'links',
    refusal: 'link_error.unauthorized_access',
  },
  {
    of: /\{account_id\}/,
    valueIn: path('account_id'),
    kind: 'accounts',
    refusal: 'link_error.not_found',
  },
  {
    of: / \/webhooks\/events\/\{id\}/,
    valueIn: path('id'),
    kind: 'events',
    refusal: 'webhook_error.not_found',
  },
  {
    of: / \/webhooks\/listeners\/\{id\}/,
    valueIn: path('id'),
    kind: 'listeners',
    refusal: 'webhook_error.not_found',
  },
  {
    of: / \/link-sessions\/\{id\}/,
    valueIn: path('id'),
    kind: 'sessions',
    refusal: 'link_session_error.not_found',
  },
  {
    of: /\{world_id\}/,
    valueIn: path('world_id'),
    kind: 'worlds',
    refusal: 'sandbox_error.not_found',
  },
  {
    of: /\{fault_id\}/,
    valueIn: path('fault_id'),
    kind: 'faults',
    refusal: 'sandbox_error.not_found',
  },
  {
    of: /\{token_id\}/,
    valueIn: path('token_id'),
    kind: 'simplefinTokens',
    refusal: 'simplefin_error.not_found',
  },
  {
    of: /faults$|\/sandbox\/link$/,
    valueIn: body('world_id'),
    kind: 'worlds',
    refusal: 'sandbox_error.not_found',
  },
  {
    of: / \/link-session$/,
    valueIn: body('existing_link_id'),
    kind: 'links',
    refusal: 'link_error.unauthorized_access',
  },
  {
    of: /exchange-token$/,
    valueIn: body('exchangeable_token'),
    kind: 'exchangeableTokens',
    refusal: 'link_session_error.invalid_token_exchange',
  },
  {
    of: /\/sync$/,
    valueIn: query('cursor'),
    kind: 'syncCursors',
    refusal: 'api_error.request.validation_failed',
  },
];

/**
 * native-api 1.3: refusals that precede the refusal of a foreign id, or of another value that the
 * request names.
 */
const BEFORE_IT = [
  'api_error.auth.unauthorized',
  'api_error.sandbox_only',
  'api_error.rate_limit_exceeded',
  'api_error.request.too_large',
  'api_error.request.unsupported_media_type',
  'api_error.request.unsupported_version',
  'api_error.request.validation_failed',
  'api_error.idempotency.mismatch',
  'api_error.idempotency.in_progress',
  'institution_error.not_found',
  'sandbox_error.not_found',
  'link_session_error.forbidden_config',
];
/** The errors that the caller's own link in the same request may cause. */
const OF_THE_OWN_LINK = [
  'link_error.deleted',
  'link_error.forbidden_action',
  'link_error.bad_state',
  'link_error.not_found',
];

/** @throws when a request names data of another tenant and was not refused as documented */
export function expectForeignRefused(
  request: FuzzRequest,
  tenants: readonly Tenant[],
  status: number,
  code: string,
): void {
  const named = PLACES.filter(
    ({ of, valueIn, kind }) =>
      of.test(request.operation) && isForeign(valueIn(request), kind, request, tenants),
  );
  const [first] = named;
  if (first === undefined) return;
  const allowed = [
    ...named.map(({ refusal }) => refusal),
    ...BEFORE_IT,
    ...(first.kind === 'links' ? [] : OF_THE_OWN_LINK),
  ];
  if (status >= 400 && allowed.includes(code)) return;
  throw new Error(
    `named ${first.kind} of another tenant: ${status} ${code} instead of ${first.refusal}`,
  );
}

function isForeign(
  value: unknown,
  kind: keyof Resources,
  { caller }: FuzzRequest,
  tenants: readonly Tenant[],
): boolean {
  if (typeof value !== 'string' || value === '') return false;
  return tenants.some((tenant) => tenant !== caller.tenant && tenant.has[kind].includes(value));
}

function fieldOf(text: string | null, name: string): unknown {
  try {
    return (JSON.parse(text ?? '') as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}
