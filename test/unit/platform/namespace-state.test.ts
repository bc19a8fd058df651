import type { NamespaceServices } from '../../../apps/platform/src/temporal/namespace-state.js';
import { attributeFaults } from '../../../apps/platform/src/temporal/namespace-state.js';

const WANTED = { LinkId: 'KEYWORD', Products: 'KEYWORD_LIST' } as const;
const PERMISSION_DENIED = 7;
const UNAVAILABLE = 14;
const INVALID_ARGUMENT = 3;

const refusal = (code: number, details: string) =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });

/** A server that lets its client work in the namespace, and refuses to list attributes. */
function serverWith(listing: Error, answer: Error | null) {
  const queries: string[] = [];
  const connection = {
    withDeadline: <T>(_deadline: unknown, call: () => Promise<T>) => call(),
    operatorService: { listSearchAttributes: () => Promise.reject(listing) },
    workflowService: {
      countWorkflowExecutions: ({ query }: { query: string }) => {
        queries.push(query);
        return answer === null ? Promise.resolve({}) : Promise.reject(answer);
      },
    },
  } as unknown as NamespaceServices;
  return { queries, faults: () => attributeFaults(connection, 'default', WANTED) };
}

const NOT_LISTED = refusal(PERMISSION_DENIED, 'Request unauthorized.');

describe('The search attributes of a server that does not list them', () => {
  it('exist when a query may name them all', async () => {
    const { faults, queries } = serverWith(NOT_LISTED, null);
    expect(await faults()).toEqual({ missing: [], wrong: [] });
    expect(queries).toEqual(['LinkId IS NOT NULL AND Products IS NOT NULL']);
  });

  it('lack the one that the refusal of the query names, or all when it names none', async () => {
    const details = "invalid query: column name 'Products' is not a valid search attribute";
    const named = serverWith(NOT_LISTED, refusal(INVALID_ARGUMENT, details));
    expect(await named.faults()).toEqual({ missing: ['Products'], wrong: [] });
    const unnamed = serverWith(NOT_LISTED, refusal(INVALID_ARGUMENT, 'invalid query'));
    expect(await unnamed.faults()).toEqual({ missing: ['LinkId', 'Products'], wrong: [] });
  });

  it('are unknown when the server does not respond', async () => {
    const away = refusal(UNAVAILABLE, 'connection refused');
    await expect(serverWith(away, null).faults()).rejects.toBe(away);
    await expect(serverWith(NOT_LISTED, away).faults()).rejects.toBe(away);
  });
});
