import { errorOf } from '../../support/services/api-client.js';
import { connectedLink, forceLink } from '../../support/services/api-in-process.js';
import {
  announced,
  bodyOf,
  COFFEE,
  HOOK,
  imported,
  importRows,
  rowsOf,
  send,
  service,
  startImports,
  token,
  WAGES,
} from './support/import-requests.js';

startImports();

describe('POST /links/{id}/import/transactions', () => {
  it('adds transactions, and updates those whose id the account already has', async () => {
    const linkId = await imported({ transactions: [COFFEE] });
    const [before] = await rowsOf(linkId);
    const response = await importRows(linkId, [
      { ...COFFEE, amount: '-5.25', date: '2026-02-02' },
      { ...COFFEE, account_id: 'acct-2' },
      WAGES,
    ]);
    expect({ status: response.status, link_id: bodyOf(response).link_id }).toEqual({
      status: 200,
      link_id: linkId,
    });
    const rows = await rowsOf(linkId);
    expect(rows).toHaveLength(3);
    expect(rows.find(({ transaction_id: id }) => id === before?.['transaction_id'])).toMatchObject({
      amount: 5.25,
      date: '2026-02-02T00:00:00',
      original_id: 'row 1',
      account_id: before?.['account_id'],
    });
    await importRows(linkId, [{ ...COFFEE, amount: '-5.25', date: '2026-02-02' }]);
    expect(await rowsOf(linkId)).toEqual(rows);
  });

  it('stores all rows or none', async () => {
    const linkId = await imported();
    const { body } = await importRows(linkId, [
      COFFEE,
      { ...WAGES, account_id: 'no_one' },
      { ...COFFEE, account_id: 'neither' },
    ]);
    expect(body).toMatchObject({
      error_code: 'api_error.request.validation_failed',
      validation_errors: [
        { location: ['body', 'transactions', 1, 'account_id'] },
        { location: ['body', 'transactions', 2, 'account_id'] },
      ],
    });
    expect(Object.keys(bodyOf(await send('GET', `/links/${linkId}`)).products)).toEqual([
      'accounts',
    ]);
  });

  it('sends no webhook', async () => {
    const linkId = await imported({ webhook: HOOK });
    await importRows(linkId, [COFFEE]);
    expect(await announced(linkId)).toHaveLength(1);
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ['an unknown', async () => 'mk_nobody', 404, 'link_error.not_found'],
    [
      'a deleted',
      async () => {
        const linkId = await imported();
        await send('DELETE', `/links/${linkId}`);
        return linkId;
      },
      410,
      'link_error.deleted',
    ],
    ['a linked', () => connectedLink(service, token), 403, 'link_error.forbidden_action'],
    [
      'a reconnected',
      async () => {
        const linkId = await imported();
        const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
        await service.database.prisma.providerCredential.create({
          data: { linkPk: pk, provider: 'sandbox', reference: 'conn_9', sealed: Buffer.from('x') },
        });
        await forceLink(service, linkId, { state: 'connected', errorCode: null });
        return linkId;
      },
      422,
      'link_error.bad_state',
    ],
  ])('refuses rows for %s link', async (_whose, link, status, code) => {
    expect(errorOf(await importRows(await link(), [COFFEE]))).toMatchObject({ status, code });
  });

  it('refuses rows that share their id and account at their places, and stores none', async () => {
    const linkId = await imported({ transactions: [WAGES] });
    const { status, body } = await importRows(linkId, [
      COFFEE,
      { ...COFFEE, amount: '-100.00' },
      { ...COFFEE, transaction_id: 'row 2' },
      COFFEE,
    ]);
    const location = (place: number) => ['body', 'transactions', place, 'transaction_id'];
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { validation_errors: [{ location: location(1) }, { location: location(3) }] },
    });
    expect(await rowsOf(linkId)).toHaveLength(1);
  });

  it.each([
    [undefined, 'missing'],
    [[], 'too_small'],
  ])('refuses %j as rows', async (transactions, type) => {
    const { body } = await importRows(await imported(), transactions);
    expect(body).toMatchObject({
      validation_errors: [{ location: ['body', 'transactions'], type }],
    });
  });
});

/** link-lifecycle 6.5, column "error, connected before or imported". */
describe('An imported link', () => {
  it.each<[string, string, string, unknown, number, string | null]>([
    ['GET', '', '', undefined, 200, null],
    ['PATCH', '', '', { tags: ['a'] }, 200, null],
    ['GET', '/accounts', '', undefined, 200, null],
    ['GET', '/transactions', '', undefined, 200, null],
    ['GET', '/transactions/sync', '', undefined, 200, null],
    ['GET', '/identity', '', undefined, 403, 'link_error.forbidden_action'],
    ['POST', '/products', '', { products: ['accounts'] }, 422, 'link_error.bad_state'],
    ['POST', '/reset', '', undefined, 200, null],
    ['DELETE', '', '', undefined, 204, null],
  ])(
    'responds to %s %s as link-lifecycle defines',
    async (method, path, _query, json, status, code) => {
      const linkId = await imported({ transactions: [COFFEE] });
      const response = await send(
        method,
        `/links/${linkId}${path}`,
        json === undefined ? {} : { json },
      );
      expect(response.status).toBe(status);
      if (code !== null) expect(errorOf(response)).toMatchObject({ code });
    },
  );

  it('can be named in a new session', async () => {
    const linkId = await imported();
    expect(
      (
        await send('POST', '/link-session', {
          json: { customer_user: { id: 'user-4711' }, existing_link_id: linkId },
        })
      ).status,
    ).toBe(201);
  });

  it('refuses reads of a product that was never fetched', async () => {
    const linkId = await imported();
    const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    await service.database.prisma.linkProduct.create({
      data: {
        linkPk: pk,
        product: 'transactions',
        position: 3,
        required: false,
        prefetch: false,
        requirePermission: false,
        extendHistory: false,
      },
    });
    expect(errorOf(await send('GET', `/links/${linkId}/transactions`))).toMatchObject({
      status: 422,
      code: 'link_error.bad_state',
    });
  });
});
