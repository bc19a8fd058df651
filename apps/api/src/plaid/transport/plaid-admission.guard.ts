import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { permits } from '../../../../../domain/api/scopes.js';
import { AppUseRepository } from '../../../../../prisma/tenants/usage/app-use.repository.js';
import { VerifyClient, type VerifiedClient } from '../../auth/verify-client.js';
import { BodyBudgets } from '../../http/input/body-budgets.js';
import { ownerOf, stateOf, type Caller } from '../../http/request-state.js';
import { PlaidError } from '../errors/plaid-error.js';
import { ItemAccess, refuseRemoved } from '../access/item-access.js';
import { PlaidLimits } from '../access/plaid-limits.js';
import { checkFields } from './check-plaid-fields.js';
import { hasHeaderCredentials, readPlaidCredentials } from '../access/plaid-credentials.js';
import { PLAID_ROUTE, type PlaidRouteOptions } from './plaid-route-options.js';
import { plaidStateOf, type PlaidState } from './plaid-state.js';
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

/** The checks of plaid-compat 1.2, in their order, up to "Item removed". */
@Injectable()
export class PlaidAdmission implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly clients: VerifyClient,
    private readonly items: ItemAccess,
    private readonly limits: PlaidLimits,
    private readonly bodies: BodyBudgets,
    private readonly use: AppUseRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = this.reflector.get<PlaidRouteOptions>(PLAID_ROUTE, context.getHandler());
    const state = stateOf(request);
    state.route = route.path;
    const response = context.switchToHttp().getResponse<Response>();
    const { client, body } = await this.admit(request, response);
    const caller = callerOf(client);
    state.caller = caller;
    if (route.path.startsWith(SANDBOX) && caller.environment !== 'sandbox')
      throw new PlaidError('SANDBOX_ONLY');
    if (route.scope !== null && !permits(caller.scopes, route.scope))
      throw new PlaidError('UNAUTHORIZED_ROUTE_ACCESS');
    const checked = checkFields(route.request, body);
    const item =
      route.item === true
        ? await this.items.find(caller, (checked as { access_token: string }).access_token)
        : null;
    // Before "Item removed", so that calls for removed Items are limited too.
    this.limits.take(route.path, caller, item);
    if (item !== null) refuseRemoved(item);
    await this.takeSandboxCall(caller, route.path);
    Object.assign(plaidStateOf(request), {
      body: checked,
      item,
      ignoresUnoffered: caller.environment === 'sandbox' && client.ignoresUnofferedProducts,
    } satisfies PlaidState);
    return true;
  }

  /** A key pair in the headers is checked before any byte of the body is read. Source: plaid-compat 1.2. */
  private async admit(
    request: Request,
    response: Response,
  ): Promise<{ client: VerifiedClient; body: Record<string, unknown> }> {
    refusePlaidHeaders(request);
    const read = () => readPlaidBody((limit) => this.bodies.read(request, response, limit));
    if (hasHeaderCredentials(request.headers))
      return { client: await this.clientOf(request, {}), body: await read() };
    const body = await read();
    const client = await this.clientOf(request, body);
    this.bodies.admit(request);
    return { client, body };
  }

  /** @throws BoundReached */
  private async takeSandboxCall(caller: Caller, path: string): Promise<void> {
    const adds = path.startsWith(SANDBOX);
    if (caller.environment !== 'sandbox' || !(adds || CHANGING.includes(path))) return;
    await this.use.take(caller, { sandbox_calls: 1 }, adds ? { rows: 1 } : {});
  }

  private async clientOf(
    request: Request,
    body: Readonly<Record<string, unknown>>,
  ): Promise<VerifiedClient> {
    const client = await this.clients.verify({
      ...readPlaidCredentials(request.headers, body),
      address: request.ip ?? '',
      anonymous: stateOf(request).anonymous,
    });
    if (client === null) throw new PlaidError('INVALID_API_KEYS');
    stateOf(request).owner = ownerOf(client);
    this.limits.takeOfClient(client.clientId);
    if (!client.isActive) throw new PlaidError('UNAUTHORIZED_ENVIRONMENT');
    return client;
  }
}

function callerOf({ appId, environment, clientId, only, share, scopes }: VerifiedClient): Caller {
  return { appId, environment, clientId, appName: appId, only, share, scopes };
}
