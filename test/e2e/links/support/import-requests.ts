import type { ApiResponse, ApiRequest } from '../../../support/services/api-client.js';
import { BANK } from '../../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';

export const HOOK = 'https://app.example/hooks/bank';

export { service, token } from '../../../support/services/api-of-file.js';

/** Starts an API, to which one app imports links. */
export const startImports = () => apiOfFile({ SANDBOX_BANKS_IN_LIVE: 'on' });

interface LinkBody {
  link_id: string;
  state: string;
  error_code: string | null;
  products: Record<string, { refreshed_at: string | null; last_attempted_at: string | null }>;
  [field: string]: unknown;
}

export const CHECKING = {
  account_id: 'acct/1',
  name: 'My checking',
  type: 'Checking Account',
  balances: { currency: 'USD', available: 2210.52, current: '2350.10' },
  mask: '****1101',
  nickname: 'Daily',
};
export const SAVINGS = {
  account_id: 'acct-2',
  name: 'My savings',
  type: 'savings',
  balances: { currency: 'EUR' },
};
export const COFFEE = {
  account_id: 'acct/1',
  amount: '-4.50',
  date: '2026-02-01',
  transaction_id: 'row 1',
  description: 'Corner Cafe',
  type: 'food_and_drink.coffee_shops',
};
export const WAGES = {
  account_id: 'acct-2',
  amount: 1234.56,
  date: '2026-02-03T09:12:00',
  description: 'Employer',
};

export const request = (over: Record<string, unknown> = {}) => ({
  customer_user: { id: 'user-4711' },
  institution_id: BANK,
  accounts: [CHECKING, SAVINGS],
  ...over,
});
export const send = (method: string, path: string, options: ApiRequest = {}) =>
  service.api.as(token).send(method, path, options);
export const importLink = (over: Record<string, unknown> = {}, options: ApiRequest = {}) =>
  send('POST', '/links/import', { json: request(over), ...options });
export const importRows = (linkId: string, transactions: unknown) =>
  send('POST', `/links/${linkId}/import/transactions`, { json: { transactions } });
export const bodyOf = ({ body }: ApiResponse) => body as LinkBody;
export const imported = async (over: Record<string, unknown> = {}) =>
  bodyOf(await importLink(over)).link_id;
export const read = async <T>(linkId: string, what: string) =>
  (await send('GET', `/links/${linkId}/${what}`)).body as T;
export const accountsOf = async (linkId: string) =>
  (await read<{ accounts: Record<string, unknown>[] }>(linkId, 'accounts')).accounts;
export const rowsOf = async (linkId: string) =>
  (
    await read<{ transactions: Record<string, unknown>[] }>(
      linkId,
      'transactions?start_date=1900-01-01&size=1000',
    )
  ).transactions;
export const announced = async (linkId: string) =>
  (
    await service.database.prisma.webhookEvent.findMany({
      where: { linkId },
      include: { deliveries: true },
    })
  ).map(({ body, deliveries }) => [JSON.parse(body), deliveries[0]?.url] as const);
