import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../../http/reply.js';
import type { SimulatorRequest } from '../../../http/request.js';
import { RouteTable } from '../../../http/routes.js';
import type { DataScope } from '../authorization/data-scopes.js';
import { requireScope, type Access } from './access.js';
import { FdxError } from './fdx-error.js';
import type { HeldAccount } from './held-account.js';
import { writeJson, type FdxValue } from './json-number.js';

/** The input of a resource. */
export interface Call {
  access: Access;
  query: URLSearchParams;
  /** The account of the path. @throws FdxError 701, 501 */
  account(): HeldAccount;
}

export interface Resource {
  /** Null: any permission is enough. */
  scope: DataScope | null;
  show(call: Call): FdxValue;
}

export interface ResourceServerParts {
  /** By method and path below the base address. */
  resources: Readonly<Record<string, Resource>>;
  scheme: 'DPoP' | 'Bearer';
  errorCodes: 'number' | 'text';
  unknownAccountStatus: 404 | 400;
  checkAccess: (request: SimulatorRequest, address: string) => Promise<Access>;
  /** @throws FdxError while the bank does not serve the customer */
  checkService: (customerId: string) => void;
  accountsOf: (access: Access) => readonly HeldAccount[];
  /** Origin of the address that the client called. */
  originOf: (incoming: IncomingMessage) => string;
  onError: (error: unknown) => void;
}

/** Serves the calls of FDX for one institution. @param basePath ends without a slash */
export function createResourceServer(parts: ResourceServerParts, basePath: string) {
  const table = new RouteTable(parts.resources);

  return async (request: SimulatorRequest): Promise<Reply> => {
    // FAPI: every response repeats the id of the interaction.
    const id = request.header('x-fapi-interaction-id') ?? randomUUID();
    const headers = { 'x-fapi-interaction-id': id };
    try {
      const body = await respond(request);
      return { status: 200, text: writeJson(body), contentType: 'application/json', headers };
    } catch (error) {
      if (!(error instanceof FdxError)) parts.onError(error);
      return refusal(error instanceof FdxError ? error : new FdxError(500), headers);
    }
  };

  async function respond(request: SimulatorRequest): Promise<FdxValue> {
    const { method, path, query } = request;
    const access = await parts.checkAccess(request, `${parts.originOf(request.incoming)}${path}`);
    const found = table.find(method, path.slice(basePath.length));
    if ('allowed' in found) throw new FdxError(found.allowed.length > 0 ? 1206 : 1107);
    const { target: resource, params } = found;
    if (resource.scope !== null) requireScope(access, resource.scope, parts.scheme);
    parts.checkService(access.customerId);
    return resource.show({ access, query, account: () => find(access, params['accountId'] ?? '') });
  }

  function find(access: Access, accountId: string): HeldAccount {
    const account = parts.accountsOf(access).find(({ id }) => id === accountId);
    if (account === undefined) throw new FdxError(701);
    if (account.inLedger?.isDown === true) throw new FdxError(501);
    return account;
  }

  function refusal(error: FdxError, headers: Record<string, string>): Reply {
    return {
      status: error.code === 701 ? parts.unknownAccountStatus : error.status,
      json: error.bodyWith(parts.errorCodes),
      headers: { ...headers, ...error.headers },
    };
  }
}
