import { readFileSync } from 'node:fs';
import { apiVersion, PagedList, Tributary } from '../../../clients/node/src/index.js';
import { stubbedClient } from './service-stub.js';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  security?: Record<string, string[]>[];
}

interface Described extends Operation {
  method: string;
  path: string;
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
};
const OPERATIONS: readonly Described[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

/** Calls of the hosted app, of operators and of sources, and those that the client makes by itself. */
const isOfApps = ({ operationId }: Operation) =>
  !/^(connect|service|providers)\.|^tokens\.create/.test(operationId);

/** One body that reads as any list. */
const ANY_RESULT = {
  ...{
    links: [],
    link_sessions: [],
    institutions: [],
    events: [],
    transactions: [],
    holdings: [],
    investment_transactions: [],
    keys: [],
    streams: [],
    liabilities: [],
  },
  ...{ next_cursor: '', cursors: { next: null }, cursor: { next: '' }, has_more: false },
  ...{ total: 0, page: 1, size: 0 },
};

const has = ({ parameters = [] }: Operation, place: string, name?: string) =>
  parameters.some((each) => each.in === place && (name === undefined || each.name === name));

type Method = (...args: unknown[]) => Promise<unknown> | PagedList<unknown, unknown>;
const resources = (tributary: Tributary) =>
  tributary as unknown as Record<string, Record<string, Method>>;

describe('The methods of the Node client', () => {
  it.each(
    OPERATIONS.filter(isOfApps).map((operation) => [operation.operationId, operation] as const),
  )('%s send the request that the OpenAPI document describes', async (id, operation) => {
    const { tributary, requests } = stubbedClient(() => Response.json(ANY_RESULT));
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const args: unknown[] = names.map((name) => `a ${name}/`);
    const [group = '', method = ''] = id.split('.');
    if (has(operation, 'query')) args.push({ a_filter: ['x', 'y'], left_out: undefined });
    if (operation.requestBody !== undefined) args.push({ in: 'the body' });
    const result = resources(tributary)[group]?.[method]?.(...args);
    await (result instanceof PagedList ? result.page() : result);

    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(`a ${name}/`),
    );
    const [request, ...more] = requests;
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      method: operation.method,
      path: path + (has(operation, 'query') ? '?a_filter=x&a_filter=y' : ''),
    });
    const isAuthorized = operation.security?.some((each) => 'accessToken' in each);
    expect(request?.sent.get('authorization')).toBe(isAuthorized ? 'Bearer token-1' : null);
    expect(request?.sent.has('idempotency-key')).toBe(has(operation, 'header', 'Idempotency-Key'));
    const hasBody = operation.requestBody !== undefined;
    expect(request?.sent.get('content-type')).toBe(hasBody ? 'application/json' : null);
    expect(request?.body).toBe(hasBody ? '{"in":"the body"}' : undefined);
  });

  it('are the operations of the document, and a few that combine them', () => {
    const { tributary } = stubbedClient(() => Response.json({}));
    const methods = Object.entries(resources(tributary)).flatMap(([group, resource]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
        .filter((name) => name !== 'constructor')
        .map((name) => `${group}.${name}`),
    );
    const combined = [
      'transactions.syncInto',
      'webhooks.verify',
      'webhooks.nodeHandler',
      'webhooks.fetchHandler',
    ];
    const operations = OPERATIONS.filter(isOfApps).map(({ operationId }) => operationId);
    expect(methods.sort()).toEqual([...operations, ...combined].sort());
  });

  it('use the version of the API that the document describes', () => {
    expect(apiVersion).toBe(document.info.version);
  });

  it('return an export in another format as a stream', async () => {
    const { tributary } = stubbedClient(() => new Response('date,amount\n'));
    const stream = await tributary.links.export('mk_1', { format: 'csv' });
    expect(await new Response(stream).text()).toBe('date,amount\n');
  });

  it('request a byte order mark with an export', async () => {
    const { tributary, requests } = stubbedClient(() => new Response('date,amount\n'));
    await tributary.users.export('user-1', { format: 'csv', bom: true });
    expect(requests.at(-1)?.path).toBe('/users/user-1/export?format=csv&bom=true');
  });
});
