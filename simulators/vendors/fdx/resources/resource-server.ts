import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../http/reply.js';
import { targetOf } from '../../http/simulator-request.js';
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
  /** Below the base address, with `{accountId}` for an id. */
  path: string;
  /** Null: any permission is enough. */
  scope: DataScope | null;
  show(call: Call): FdxValue;
}

export interface ResourceServerParts {
  resources: readonly Resource[];
  scheme: 'DPoP' | 'Bearer';
  errorCodes: 'number' | 'text';
  unknownAccountStatus: 404 | 400;
  checkAccess: (incoming: IncomingMessage, address: string) => Promise<Access>;
  /** @throws FdxError while the bank does not serve the customer */
  checkService: (customerId: string) => void;
  accountsOf: (access: Access) => readonly HeldAccount[];
  /** Origin of the address that the client called. */
  originOf: (incoming: IncomingMessage) => string;
  onError: (error: unknown) => void;
}

/** Serves the calls of FDX for one institution. @param basePath ends without a slash */
export function createResourceServer(parts: ResourceServerParts, basePath: string) {
  const table = parts.resources.map((resource) => ({
    resource,
    pattern: new RegExp(`^${resource.path.replace('{accountId}', '([^/]+)')}$`),
  }));

  return async (incoming: IncomingMessage): Promise<Reply> => {
    // FAPI: every response repeats the id of the interaction.
    const given = incoming.headers['x-fapi-interaction-id'];
    const headers = { 'x-fapi-interaction-id': typeof given === 'string' ? given : randomUUID() };
    try {
      const body = await respond(incoming);
      return { status: 200, text: writeJson(body), contentType: 'application/json', headers };
    } catch (error) {
      if (!(error instanceof FdxError)) parts.onError(error);
      return refusal(error instanceof FdxError ? error : new FdxError(500), headers);
    }
  };

  async function respond(incoming: IncomingMessage): Promise<FdxValue> {
    const { pathname, searchParams: query } = targetOf(incoming);
    const access = await parts.checkAccess(incoming, `${parts.originOf(incoming)}${pathname}`);
    const path = pathname.slice(basePath.length);
    const match = table.find(({ pattern }) => pattern.test(path));
    if (match === undefined) throw new FdxError(1107);
    if (incoming.method !== 'GET') throw new FdxError(1206);
    const { resource, pattern } = match;
    if (resource.scope !== null) requireScope(access, resource.scope, parts.scheme);
    parts.checkService(access.customerId);
    const accountId = decode(pattern.exec(path)?.[1] ?? '');
    return resource.show({ access, query, account: () => find(access, accountId) });
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

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new FdxError(401);
  }
}
