import { PRODUCT_REMEDIES } from '../../../domain/link/product-freshness.js';
import { StoredItem } from '../../support/fixtures/stored-item.js';
import {
  connectedLink,
  grantProducts,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

const HOUR = 3_600_000;

let service: ApiInProcess;
let token: string;
let linkId: string;
beforeAll(async () => {
  service = await startApiInProcess({ REFRESH_INTERVAL: '6h', REFRESH_INTERVAL_SLOW: '7d' });
  token = await service.token('pocket-ledger');
});
beforeEach(async () => {
  linkId = await connectedLink(service, token);
  await grantProducts(service, linkId, ['identity']);
});
afterAll(() => service?.close());

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const written = (time: Date) => time.toISOString().replace('Z', '');
const schedule = (data: Record<string, unknown>) =>
  service.database.prisma.link.update({ where: { linkId }, data });

async function products(): Promise<Record<string, Record<string, unknown>>> {
  const { body } = await service.api.as(token).get(`/links/${linkId}`);
  return (body as { products: Record<string, Record<string, unknown>> }).products;
}

describe('The freshness of a product in a Link (native-api 4.2)', () => {
  it('names the next refresh, by the fast or the slow schedule of the link', async () => {
    const [nextDueAt, slowDueAt] = [inHours(5), inHours(100)];
    await schedule({ nextDueAt, slowDueAt });
    const fresh = { stale: false, problem: null };
    expect(await products()).toMatchObject({
      accounts: { ...fresh, next_refresh_at: written(nextDueAt) },
      transactions: { ...fresh, next_refresh_at: written(nextDueAt) },
      identity: { ...fresh, next_refresh_at: written(slowDueAt) },
    });
  });

  it.each([
    ['the interval in REFRESH_INTERVAL', { intervalMs: null }, 12],
    ['the interval that was planned for its link', { intervalMs: 2 * HOUR }, 4],
  ])('is stale once its data is older than twice %s', async (_, planned, hours) => {
    await schedule({ nextDueAt: inHours(1), slowDueAt: inHours(100), ...planned });
    const staleAfter = async (age: number) => {
      await service.database.prisma.linkProduct.updateMany({
        where: { link: { linkId }, product: 'transactions' },
        data: { refreshedAt: inHours(-age) },
      });
      return (await products())['transactions']?.['stale'];
    };
    expect([await staleAfter(hours - 0.1), await staleAfter(hours + 0.1)]).toEqual([false, true]);
  });

  it('is stale after a failed refresh, with its cause and the remedy of that', async () => {
    await new StoredItem(service, linkId).failFetch('transactions', 'no_permission');
    const { transactions, accounts } = await products();
    expect(transactions).toMatchObject({
      error_code: 'no_permission',
      stale: true,
      problem: {
        message: transactions?.['error_message'],
        remedy: PRODUCT_REMEDIES.no_permission,
      },
    });
    expect(accounts).toMatchObject({ stale: false, problem: null });
  });

  it('is stale in a link that waits for its account owner, who is to sign in again', async () => {
    await service.api.as(token).post(`/links/${linkId}/reset`);
    const { auth_expired: remedy } = PRODUCT_REMEDIES;
    for (const product of Object.values(await products()))
      expect(product).toMatchObject({ next_refresh_at: null, stale: true, problem: { remedy } });
  });
});
