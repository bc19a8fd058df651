import { API_ERRORS, type ApiErrorCode } from '../../../../domain/errors/api-errors.js';
import { permits } from '../../../../domain/api/scopes.js';
import type { RouteOptions } from '../http/route.js';

const CONNECT_ERRORS = (Object.keys(API_ERRORS) as ApiErrorCode[]).filter((code) =>
  code.startsWith('connect_error.'),
);

/** Each rule adds its errors to every route that it matches. Sources: native-api 1.3, 2 and 5; connect 6. */
const RULES: readonly [
  applies: (route: RouteOptions) => boolean,
  errors: readonly ApiErrorCode[],
][] = [
  [
    () => true,
    [
      'api_error.request.too_large',
      'api_error.request.headers_too_large',
      'api_error.request.validation_failed',
      'api_error.internal',
      'api_error.unavailable',
    ],
  ],
  [
    ({ body }) => body !== undefined && body !== 'raw',
    ['api_error.request.unsupported_media_type'],
  ],
  [
    ({ auth }) => auth === 'bearer',
    ['api_error.auth.unauthorized', 'api_error.auth.expired_access_token'],
  ],
  // native-api 8: a limit of all requests without a right credential.
  [({ family }) => family !== 'connect', ['api_error.rate_limit_exceeded']],
  [({ family }) => family === 'native', ['api_error.request.unsupported_version']],
  [({ family }) => family === 'connect', CONNECT_ERRORS],
  [isOfLink, ['link_error.not_found', 'link_error.unauthorized_access', 'link_error.deleted']],
  [
    ({ scopes }) => scopes?.some((scope) => permits(['products:read'], scope)) === true,
    ['link_error.forbidden_action', 'link_error.bad_state'],
  ],
  [
    ({ idempotent }) => idempotent === true,
    ['api_error.idempotency.in_progress', 'api_error.idempotency.mismatch'],
  ],
  [({ sandboxOnly }) => sandboxOnly, ['api_error.sandbox_only']],
];

function isOfLink({ path, auth }: RouteOptions): boolean {
  return auth === 'bearer' && /^(\/sandbox)?\/links\/:id/.test(path);
}

/** The errors that follow from the declaration of a route. */
export function errorsOfRoute(route: RouteOptions): ApiErrorCode[] {
  const { exceptErrors = [] } = route.docs;
  return RULES.filter(([applies]) => applies(route))
    .flatMap(([, errors]) => errors)
    .filter((code) => !exceptErrors.includes(code));
}
