import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { encodeCredential } from '../../../providers/simplefin/client/access-url.js';
import { addressPolicyOf } from '../../../providers/simplefin/client/address-policy.js';
import { fetchAccounts } from '../../../providers/simplefin/data/fetch-accounts.js';
import { fetchTransactions } from '../../../providers/simplefin/data/fetch-transactions.js';
import type { DataParts } from '../../../providers/simplefin/data/read-accounts.js';
import {
  refreshesAt,
  storePermittedLink,
  testProvider,
} from '../../support/fixtures/fetching-link.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';
import {
  currentRows,
  storage,
  storageOfFile,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

const happened = (): number => Date.parse(addDays(utcDay(new Date()), -3)) / 1_000;
const purchase = () => ({ id: 'p', posted: happened(), amount: '-10.00', description: 'SHOP' });
const hold = () => ({
  id: 'h',
  posted: 0,
  transacted_at: happened(),
  amount: '-50.00',
  description: 'HOTEL',
});
const account = (id: string, more: object = {}) => ({
  id,
  name: 'Everyday Checking (1101)',
  currency: 'USD',
  balance: '1.00',
  transactions: [purchase()],
  ...more,
});

let body: object;
const parts: DataParts = {
  callServer: () => Promise.resolve(JSON.stringify(body)),
  policy: addressPolicyOf({ hosts: ['bridge.example'], allowLoopback: false }),
  now: () => new Date(),
};
const access = <Access extends object>(given: Access): Access =>
  Object.defineProperties(Object.create(given) as Access, {
    credential: { value: encodeCredential('https://user:password@bridge.example/simplefin') },
    acquire: { value: () => Promise.resolve() },
  });
const source = testProvider({
  facts: { ...GENEROUS_FACTS, transactionIds: 'unreliable', absence: 'unknown' },
  fetchAccounts: (given) => fetchAccounts(parts, access(given)),
  fetchTransactions: (given, window) => fetchTransactions(parts, access(given), window),
});

async function refresh(link: StoredLink, answer: { accounts: object[] }) {
  body = { ...answer, accounts: [...answer.accounts, account('private')] };
  await refreshesAt(storage, source).run(link, ['accounts', 'transactions']);
  const { prisma } = storage.ctx.database;
  const products = await prisma.linkProduct.findMany({
    where: { linkPk: link.pk },
    orderBy: { position: 'asc' },
  });
  return {
    rows: (await currentRows(storage, link)).map((row) => row.providerTransactionId).sort(),
    incomplete: products.map(({ incomplete }) =>
      (incomplete as { reason: string }[]).map(({ reason }) => reason),
    ),
  };
}

describe('Errors of a SimpleFIN server that name no bank', () => {
  it.each([
    ['of version 1', { errors: ['Please reauthenticate Other Bank within 30 days.'] }],
    ['of version 2', { errlist: [{ code: 'gen.', msg: 'Some banks are slow.' }], connections: [] }],
  ])(
    '%s, and stand in every response, leave listed accounts complete: dropped holds are withdrawn',
    async (_version, standing) => {
      const link = await storePermittedLink(storage);
      const both = [account('checking', { transactions: [purchase(), hold()] }), account('card')];
      expect(await refresh(link, { ...standing, accounts: both })).toEqual({
        rows: ['card/p', 'checking/h', 'checking/p'],
        incomplete: [[], []],
      });
      const dropped = [account('checking'), account('card')];
      expect(await refresh(link, { ...standing, accounts: dropped })).toEqual({
        rows: ['card/p', 'checking/p'],
        incomplete: [[], []],
      });
    },
  );

  it('keep the rows of an account that is missing, or listed without its rows', async () => {
    const link = await storePermittedLink(storage);
    const standing = { errors: ['Something went wrong.'] };
    await refresh(link, { ...standing, accounts: [account('checking'), account('card')] });
    for (const accounts of [
      [account('checking')],
      [account('checking'), account('card', { transactions: undefined })],
    ])
      expect((await refresh(link, { ...standing, accounts })).rows).toEqual([
        'card/p',
        'checking/p',
      ]);
  });
});
