import { Injectable } from '@nestjs/common';
import { permits } from '../../../../../domain/api/scopes.js';
import { AppUseRepository } from '../../../../../prisma/tenants/usage/app-use.repository.js';
import { VerifyClient, type VerifiedClient } from '../../auth/verify-client.js';
import type { Admission, RequestChecks } from '../../http/admission.js';
import { BodyBudgets } from '../../http/input/body-budgets.js';
import { ownerOf, type Caller, type RequestState } from '../../http/request-state.js';
import { PlaidError } from '../errors/plaid-error.js';
import { ItemAccess, refuseRemoved } from '../access/item-access.js';
import { PlaidLimits } from '../access/plaid-limits.js';
import { checkFields } from './check-plaid-fields.js';
import { hasHeaderCredentials, readPlaidCredentials } from '../access/plaid-credentials.js';
import type { PlaidRouteOptions } from './plaid-route-options.js';
import { plaidStateOf } from './plaid-state.js';
import { readPlaidBody, refusePlaidHeaders } from './read-plaid-body.js';

const SANDBOX = '/sandbox/';
/** Calls outside /sandbox with an effect (native-api 8). Removing an Item is always possible. */
const CHANGING = [
  '/link/token/create',
  '/item/public_token/exchange',
  '/item/access_token/invalidate',
  '/item/webhook/update',
  '/transactions/refresh',
  '/accounts/balance/get',
];

type Plaid = Admission<PlaidRouteOptions>;

/** The checks of plaid-compat 1.2, up to "Item removed". */
@Injectable()
export class PlaidChecks implements RequestChecks<'plaid', PlaidRouteOptions> {
  constructor(
    private readonly clients: VerifyClient,
    private readonly items: ItemAccess,
    private readonly limits: PlaidLimits,
    private readonly bodies: BodyBudgets,
    private readonly use: AppUseRepository,
  ) {}

  readonly checks = {
    'declared body': ({ request }: Plaid): void => refusePlaidHeaders(request),

    'key pair in headers': async (admission: Plaid): Promise<void> => {
      if (hasHeaderCredentials(admission.request.headers)) await this.verify(admission, {});
    },

    body: async ({ request, response }: Plaid): Promise<void> => {
      plaidStateOf(request).sent = await readPlaidBody((limit) =>
        this.bodies.read(request, response, limit),
      );
    },

    'key pair in body': async (admission: Plaid): Promise<void> => {
      const { request, state } = admission;
      if (state.caller !== null) return;
      await this.verify(admission, plaidStateOf(request).sent);
      this.bodies.admit(request);
    },

    environment: ({ route, state }: Plaid): void => {
      if (route.path.startsWith(SANDBOX) && callerOf(state).environment !== 'sandbox')
        throw new PlaidError('SANDBOX_ONLY');
    },

    scope: ({ route: { scope }, state }: Plaid): void => {
      if (scope !== null && !permits(callerOf(state).scopes, scope))
        throw new PlaidError('UNAUTHORIZED_ROUTE_ACCESS');
    },

    shape: ({ request, route }: Plaid): void => {
      const plaid = plaidStateOf(request);
      plaid.body = checkFields(route.request, plaid.sent);
    },

    Item: async ({ request, route, state }: Plaid): Promise<void> => {
      if (route.item !== true) return;
      const plaid = plaidStateOf(request);
      const { access_token: token } = plaid.body as { access_token: string };
      plaid.item = await this.items.find(callerOf(state), token);
    },

    'rate limit': ({ request, route, state }: Plaid): void =>
      this.limits.take(route.path, callerOf(state), plaidStateOf(request).item),

    'removed Item': ({ request }: Plaid): void => {
      const { item } = plaidStateOf(request);
      if (item !== null) refuseRemoved(item);
    },

    /** @throws BoundReached */
    'sandbox calls': async ({ route: { path }, state }: Plaid): Promise<void> => {
      const adds = path.startsWith(SANDBOX);
      const caller = callerOf(state);
      if (caller.environment !== 'sandbox' || !(adds || CHANGING.includes(path))) return;
      await this.use.take(caller, { sandbox_calls: 1 }, adds ? { rows: 1 } : {});
    },
  };

  /** @throws PlaidError, ApiError */
  private async verify(
    { request, state }: Plaid,
    body: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const client = await this.clients.verify({
      ...readPlaidCredentials(request.headers, body),
      address: request.ip ?? '',
      anonymous: state.anonymous,
    });
    if (client === null) throw new PlaidError('INVALID_API_KEYS');
    state.owner = ownerOf(client);
    this.limits.takeOfClient(client.clientId);
    if (!client.isActive) throw new PlaidError('UNAUTHORIZED_ENVIRONMENT');
    state.caller = asCaller(client);
    plaidStateOf(request).ignoresUnoffered =
      client.environment === 'sandbox' && client.ignoresUnofferedProducts;
  }
}

function callerOf({ caller }: RequestState): Caller {
  if (caller === null) throw new Error('the key pair has not been checked');
  return caller;
}

function asCaller({ appId, environment, clientId, only, share, scopes }: VerifiedClient): Caller {
  return { appId, environment, clientId, appName: appId, only, share, scopes };
}
