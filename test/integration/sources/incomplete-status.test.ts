import { Decimal } from 'decimal.js';
import { presentLink } from '../../../domain/link/present-link.js';
import type { Product } from '../../../domain/link/products.js';
import { LinkRepository } from '../../../prisma/links/link/link.repository.js';
import { runCommand } from '../../support/actors/operator.js';
import { refreshesAt, storePermittedLink } from '../../support/fixtures/fetching-link.js';
import { faultOf, scriptedSource, type ScriptedAnswer } from './scripted-source.js';
import {
  account,
  openStorage,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const WHOLE: ScriptedAnswer = {
  accounts: [account('checking', { current: new Decimal(1) }), account('card')],
  unreported: [],
  numbers: [],
  owners: [],
  rows: [],
  faults: [],
};

let storage: Storage;
let answer: ScriptedAnswer;
let now = new Date('2026-03-02T10:00:00Z');
beforeAll(async () => {
  storage = await openStorage(() => now);
});
afterAll(() => storage.close());

const later = (hours: number): void => {
  now = new Date(now.getTime() + hours * 3_600_000);
};
const fetch = (link: StoredLink, product: Product) =>
  refreshesAt(
    storage,
    scriptedSource(() => answer),
  ).fetch(link, product);
async function statusOf({ linkId }: StoredLink, product: Product) {
  const view = await new LinkRepository(storage.ctx).get(TENANT, linkId);
  if (view === null) throw new Error('the link is gone');
  return presentLink(view, {
    baseUrl: 'https://api.example',
    refreshInterval: 6 * 3_600_000,
    refreshIntervalSlow: 168 * 3_600_000,
    sandboxProviderName: 'sandbox',
  }).products[product]?.incomplete;
}

describe('The status of a product', () => {
  it('names the accounts whose last refresh was incomplete, and the time since when it has been', async () => {
    const link = await storePermittedLink(storage);
    const since = now.toISOString().slice(0, -1);
    answer = { ...WHOLE, unreported: ['checking'], faults: [faultOf('row', 'card')] };
    await fetch(link, 'transactions');
    const card = {
      account_id: link.accounts.get('card'),
      account_name: 'card',
      reason: 'unreadable',
      since,
    };
    expect(await statusOf(link, 'transactions')).toEqual([
      card,
      {
        account_id: link.accounts.get('checking'),
        account_name: 'checking',
        reason: 'not_reported',
        since,
      },
    ]);
    expect(await statusOf(link, 'accounts')).toEqual([]);

    later(6);
    answer = { ...WHOLE, faults: [faultOf('row', 'card', { field: 'amount' })] };
    await fetch(link, 'transactions');
    expect(await statusOf(link, 'transactions')).toEqual([card]);
    answer = WHOLE;
    await fetch(link, 'transactions');
    expect(await statusOf(link, 'transactions')).toEqual([]);

    later(6);
    answer = { ...WHOLE, faults: [faultOf('row', 'card')] };
    await fetch(link, 'transactions');
    expect(await statusOf(link, 'transactions')).toEqual([
      { ...card, since: now.toISOString().slice(0, -1) },
    ]);
  });

  it('shows no account that the user did not share, and the name of an unknown one only if it is shared', async () => {
    const link = await storePermittedLink(storage);
    answer = {
      ...WHOLE,
      faults: [
        faultOf('account', 'private'),
        faultOf('account', 'constructor'),
        faultOf('account', null, { accountName: 'private' }),
        faultOf('account', null, { accountName: 'card' }),
        faultOf('account', null, { accountName: 'half \ud800 of a pair\0' }),
      ],
    };
    await fetch(link, 'accounts');
    const shown = (await statusOf(link, 'accounts'))?.map(({ account_id, account_name }) => [
      account_id,
      account_name,
    ]);
    expect(shown).toEqual([
      [null, null],
      [null, 'card'],
      [null, null],
    ]);
  });

  it('stays unchanged when a refresh fails', async () => {
    const link = await storePermittedLink(storage);
    answer = { ...WHOLE, faults: [faultOf('account', 'card')] };
    await fetch(link, 'accounts');
    const before = await statusOf(link, 'accounts');
    expect(before).toHaveLength(1);
    answer = { ...answer, accounts: [] };
    await expect(fetch(link, 'accounts')).rejects.toMatchObject({ providerCause: 'malformed' });
    expect(await statusOf(link, 'accounts')).toEqual(before);
  });
});

describe('links show', () => {
  it('names the adapter, the account, and the data that could not be read, for the operator', async () => {
    const link = await storePermittedLink(storage);
    answer = {
      ...WHOLE,
      faults: [faultOf('row', 'card', { resource: 'transaction', field: 'amount' })],
    };
    await fetch(link, 'transactions');
    const env = {
      DATABASE_URL: storage.url,
      MASTER_KEYS: `test:${storage.masterKey.toString('base64')}`,
    };
    const command = ['links', 'show', link.linkId];
    const { stdout } = await runCommand([...command, '--json'], env);
    expect((JSON.parse(stdout) as Record<string, unknown>)['incomplete_accounts']).toEqual([
      {
        product: 'transactions',
        adapter: 'sandbox',
        provider_account_id: 'card',
        name: null,
        reason: 'unreadable',
        resource: 'transaction',
        field: 'amount',
        fault: 'missing',
        since: now.toISOString(),
      },
    ]);
    expect((await runCommand(command, env)).stdout).toContain(
      'Accounts of which the last fetch was incomplete',
    );
  });
});
