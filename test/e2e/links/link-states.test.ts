import {
  connectedLink,
  finishedSession,
  forceLink,
  grantProducts,
} from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile();

/** The columns of docs/contract/link-lifecycle.md 6.5, in its order. */
const STATES: Record<
  string,
  { state: string; errorCode?: string; connected: boolean; deleted?: boolean }
> = {
  connecting: { state: 'connecting', connected: false },
  awaiting_token_exchange: { state: 'awaiting_token_exchange', connected: false },
  connected: { state: 'connected', connected: true },
  'error, never connected': { state: 'error', errorCode: 'user_error', connected: false },
  'error, connected before': { state: 'error', errorCode: 'auth_expired', connected: true },
  'fault, connected before': { state: 'error', errorCode: 'institution_error', connected: true },
  deleted: { state: 'deleted', connected: true, deleted: true },
};
const COLUMNS = Object.keys(STATES);

/** The rows: the status of each call in the order of the columns. */
const CALLS: {
  call: string;
  method: string;
  path: (linkId: string, accountId: string) => string;
  json?: (linkId: string) => unknown;
  statuses: number[];
}[] = [
  {
    call: 'GET /links/{id}',
    method: 'GET',
    path: (id) => `/links/${id}`,
    statuses: [200, 200, 200, 200, 200, 200, 200],
  },
  {
    call: 'PATCH /links/{id}',
    method: 'PATCH',
    path: (id) => `/links/${id}`,
    json: () => ({ tags: ['changed'] }),
    statuses: [200, 200, 200, 200, 200, 200, 410],
  },
  {
    call: 'DELETE /links/{id}',
    method: 'DELETE',
    path: (id) => `/links/${id}`,
    statuses: [204, 204, 204, 204, 204, 204, 410],
  },
  ...[
    'accounts',
    'accounts/{account_id}',
    'accounts/{account_id}/balances',
    'accounts/numbers',
    'identity',
    'transactions',
    'transactions/sync',
  ].map((read) => ({
    call: `GET /links/{id}/${read}`,
    method: 'GET',
    path: (id: string, accountId: string) =>
      `/links/${id}/${read.replace('{account_id}', accountId)}`,
    statuses: [422, 422, 200, 422, 200, 200, 410],
  })),
  {
    call: 'POST /links/{id}/reset',
    method: 'POST',
    path: (id) => `/links/${id}/reset`,
    statuses: [422, 422, 200, 200, 200, 200, 410],
  },
  {
    call: 'POST /links/{id}/products',
    method: 'POST',
    path: (id) => `/links/${id}/products`,
    json: () => ({ products: ['transactions'] }),
    statuses: [422, 422, 202, 422, 422, 202, 410],
  },
  {
    call: 'session with existing_link_id',
    method: 'POST',
    path: () => '/link-session',
    json: (id) => ({ customer_user: { id: 'user-4711' }, existing_link_id: id }),
    statuses: [422, 422, 201, 201, 201, 201, 410],
  },
];

interface LinkOfTable {
  linkId: string;
  accountId: string;
}

/** A link whose products were fetched once. */
async function fetchedLink(): Promise<LinkOfTable> {
  const linkId = await connectedLink(service, token);
  await grantProducts(service, linkId, ['account_numbers', 'identity']);
  const { accountId } = await service.database.prisma.account.findFirstOrThrow({
    where: { link: { linkId } },
  });
  await service.database.prisma.linkProduct.updateMany({
    where: { link: { linkId } },
    data: { state: 'completed', refreshedAt: new Date() },
  });
  return { linkId, accountId };
}

async function forceInto(linkId: string, column: string): Promise<void> {
  const {
    state,
    errorCode = null,
    connected,
    deleted = false,
  } = STATES[column] ?? { state: column, connected: true };
  await forceLink(service, linkId, {
    state,
    errorCode,
    connectedAt: connected ? new Date() : null,
    deletedAt: deleted ? new Date() : null,
  });
}

/** All calls share one link in each state, which is restored before each of them. */
const links = new Map<string, Promise<LinkOfTable>>();
function sharedLink(column: string): Promise<LinkOfTable> {
  const link = links.get(column) ?? fetchedLink();
  links.set(column, link);
  return link;
}

async function linkIn(column: string, isDeleted: boolean): Promise<LinkOfTable> {
  const link = await (isDeleted ? fetchedLink() : sharedLink(column));
  await forceInto(link.linkId, column);
  return link;
}

describe.each(CALLS)('$call', ({ method, path, json, statuses }) => {
  it.each(COLUMNS.map((column, index) => ({ column, status: statuses[index] ?? 0 })))(
    'returns $status for a link in the state: $column',
    async ({ column, status }) => {
      const { linkId, accountId } = await linkIn(column, status === 204);
      const response = await service.api
        .as(token)
        .send(method, path(linkId, accountId), json === undefined ? {} : { json: json(linkId) });
      expect({
        status: response.status,
        text: response.status === status ? '' : response.text,
      }).toEqual({
        status,
        text: '',
      });
      const { state, errorCode = state } = STATES[column] ?? { state: column };
      if (status === 422)
        expect(response.body).toMatchObject({
          error_code: 'link_error.bad_state',
          link_error_code: errorCode,
        });
      if (status === 410) expect(response.body).toMatchObject({ error_code: 'link_error.deleted' });
    },
  );
});

describe('POST /link-session/exchange-token', () => {
  let linkId: string;
  let exchangeableToken: string;
  beforeAll(async () => {
    const finished = await finishedSession(service, token);
    ({ exchangeableToken } = finished);
    const { link } = await service.database.prisma.linkSession.findUniqueOrThrow({
      where: { sessionId: finished.sessionId },
      include: { link: true },
    });
    linkId = link?.linkId ?? '';
  });

  // The token is used up last: a refusal leaves it valid.
  it.each(
    [
      ...COLUMNS.filter((column) => column !== 'awaiting_token_exchange'),
      'awaiting_token_exchange',
    ].map((column) => ({ column, status: column === 'awaiting_token_exchange' ? 201 : 400 })),
  )('returns $status for a link in the state: $column', async ({ column, status }) => {
    await forceInto(linkId, column);
    const response = await service.api
      .as(token)
      .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeableToken } });
    expect(response.status).toBe(status);
    if (status === 400)
      expect(response.body).toMatchObject({
        error_code: 'link_session_error.invalid_token_exchange',
      });
  });
});
