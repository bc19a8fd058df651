import type { FetchedLiability } from '../../../domain/liabilities/liability.js';
import { Decimal } from 'decimal.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { cardDebt, debt } from '../../support/fixtures/sent-debt.js';
import { account, attemptOf } from '../../support/fixtures/stored-link.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink, forceLink, grantProducts } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile({ RATE_LIMIT_API: 'off' });

interface Page {
  liabilities: { account_id: string; kind: string }[];
  next_cursor: string;
  link: { link_id: string };
}

const read = (linkId: string, query = '') =>
  service.api.as(token).get(`/links/${linkId}/liabilities${query}`);
async function page(linkId: string, query = ''): Promise<Page & { text: string }> {
  const response = await read(linkId, query);
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 });
  return { ...(response.body as Page), text: response.text };
}
const refusal = async (linkId: string, query = '') => {
  const response = await read(linkId, query);
  return [response.status, errorOf(response).code];
};

const ofBank = (linkId: string) => {
  const refresh = refreshSteps(service.ctx);
  const begin = async (product: 'accounts' | 'liabilities') => {
    const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    await service.ctx.database.transaction((tx) =>
      refresh.requestProducts(tx, pk, [product], 'scheduled'),
    );
    return attemptOf(await refresh.beginRun(linkId), product);
  };
  return {
    /** Stores one fetch, as the worker does. */
    fetch: async (...debts: FetchedLiability[]) =>
      refresh.storeLiabilities(linkId, await begin('liabilities'), debts),
    listAccounts: async (...names: string[]) =>
      refresh.storeAccounts(
        linkId,
        await begin('accounts'),
        names.map((name) => account(name)),
      ),
  };
};

describe('GET /links/{id}/liabilities (native-api 3.15)', () => {
  let linkId: string;
  beforeAll(async () => {
    linkId = await connectedLink(service, token);
    await grantProducts(service, linkId, ['liabilities']);
    await ofBank(linkId).listAccounts('checking', 'savings');
  });

  it('returns an empty list before the first fetch', async () => {
    expect(await page(linkId)).toMatchObject({
      liabilities: [],
      next_cursor: '',
      link: { link_id: linkId },
    });
  });

  it('lists debts with exact amounts, page by page and by account', async () => {
    await ofBank(linkId).fetch(
      cardDebt('checking'),
      debt('savings', { balance: new Decimal('12345678901234567.89') }),
    );
    const all = await page(linkId);
    expect(all.liabilities.map(({ kind }) => kind).toSorted()).toEqual(['credit', 'loan']);
    expect(all.text).toContain('"balance":12345678901234567.89');
    const first = await page(linkId, '?limit=1');
    const second = await page(linkId, `?limit=1&cursor=${first.next_cursor}`);
    expect([...first.liabilities, ...second.liabilities]).toEqual(all.liabilities);
    expect(second.next_cursor).toBe('');
    const [one] = all.liabilities;
    expect((await page(linkId, `?account_ids=${one?.account_id},acc_unknown`)).liabilities).toEqual(
      [one],
    );
  });

  it('refuses numbers beyond its limits, and a cursor of another link or list', async () => {
    const invalid = [422, 'api_error.request.validation_failed'];
    for (const query of ['?limit=0', '?limit=201', '?cursor=x'])
      expect(await refusal(linkId, query)).toEqual(invalid);
    const other = await connectedLink(service, token);
    await grantProducts(service, other, ['liabilities']);
    const { next_cursor: cursor } = await page(linkId, '?limit=1');
    expect(cursor).not.toBe('');
    expect(await refusal(other, `?cursor=${cursor}`)).toEqual(invalid);
    const recurring = await service.api
      .as(token)
      .get(`/links/${linkId}/recurring?cursor=${cursor}`);
    expect(recurring.status).toBe(422);
  });

  it('requires the scope liabilities:read, which products:read includes', async () => {
    const statuses = await Promise.all(
      ['liabilities:read', 'products:read', 'transactions:read'].map(async (scope) => {
        const scoped = await service.token('pocket-ledger', 'sandbox', scope);
        return (await service.api.as(scoped).get(`/links/${linkId}/liabilities`)).status;
      }),
    );
    expect(statuses).toEqual([200, 200, 401]);
  });

  it('refuses a link without the product, and one that was deleted', async () => {
    const other = await connectedLink(service, token);
    expect(await refusal(other)).toEqual([403, 'link_error.forbidden_action']);
    await grantProducts(service, other, ['liabilities']);
    await forceLink(service, other, { state: 'deleted' });
    expect(await refusal(other)).toEqual([410, 'link_error.deleted']);
    expect(await refusal('mk_unknown')).toEqual([404, 'link_error.not_found']);
  });
});
