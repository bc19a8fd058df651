import { BANK, forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { connectedFinanceApp, type FinanceApp } from './support/finance-app.js';

const USER = 'user with two logins at one bank';

apiOfFile();

let app: FinanceApp;
let links: string[];
beforeAll(async () => {
  await service.database.prisma.institution.update({
    where: { institutionId: BANK },
    data: { name: 'Meridian Bank' },
  });
  links = [await importedLink('own'), await importedLink('shared'), await importedLink('old')];
  app = await connectedFinanceApp(service, token, USER);
});
beforeEach(() => Promise.all(links.map((link) => healthy(link))));

async function importedLink(name: string): Promise<string> {
  const { body } = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER },
      institution_id: BANK,
      accounts: [
        { account_id: name, name, type: 'checking', balances: { currency: 'EUR', current: 1 } },
      ],
      transactions: [
        { account_id: name, amount: -1, date: '2026-03-01', transaction_id: `row of ${name}` },
      ],
    },
  });
  const { link_id: linkId } = body as { link_id: string };
  await service.database.prisma.linkProduct.updateMany({
    where: { link: { linkId } },
    data: { refreshedAt: new Date() },
  });
  return linkId;
}

const healthy = (link: string) => forceLink(service, link, { state: 'connected', errorCode: null });
const broken = (link: string) =>
  forceLink(service, link, { state: 'error', errorCode: 'auth_expired' });

/** The accounts whose rows Actual refuses: `getAccountResponse` of its sync server compares so. */
async function refusedByActual(): Promise<string[]> {
  const { accounts, errors = [] } = await app.accounts();
  return accounts
    .filter(({ org }) =>
      errors.some((error) => error.startsWith(`Connection to ${org?.['name']} may need attention`)),
    )
    .map(({ name }) => name);
}

describe('Two logins of a user at one bank, in a finance app', () => {
  it('have names that tell them apart, numbered from the second on, oldest first, in both versions', async () => {
    const first = await app.accounts();
    expect(first.accounts.map(({ name, org }) => [name, org?.['name'], org?.['id']])).toEqual([
      ['own', 'Meridian Bank', BANK],
      ['shared', 'Meridian Bank (2)', BANK],
      ['old', 'Meridian Bank (3)', BANK],
    ]);
    const second = await app.accounts('?version=2');
    expect(
      second.connections?.map((each) => [each['conn_id'], each['name'], each['org_name']]),
    ).toEqual([
      [links[0], 'Meridian Bank', 'Meridian Bank'],
      [links[1], 'Meridian Bank (2)', 'Meridian Bank'],
      [links[2], 'Meridian Bank (3)', 'Meridian Bank'],
    ]);
  });

  it.each([
    [0, 'own', 'Meridian Bank'],
    [1, 'shared', 'Meridian Bank (2)'],
    [2, 'old', 'Meridian Bank (3)'],
  ])(
    'keep the rows of the others when login %i needs its user',
    async (index, refused, connection) => {
      const link = links[index] ?? '';
      await broken(link);
      expect(await refusedByActual()).toEqual([refused]);
      const { accounts, errlist } = await app.accounts('?version=2');
      expect(errlist).toEqual([
        {
          code: 'con.auth',
          msg: `Connection to ${connection} may need attention`,
          conn_id: link,
        },
      ]);
      expect(accounts.filter((account) => account.conn_id === link)).toHaveLength(1);
    },
  );

  it('keep their names when a request names one account, and when another one needs its user', async () => {
    const { accounts } = await app.accounts();
    const shared = accounts.find(({ name }) => name === 'shared');
    await broken(links[0] ?? '');
    const one = await app.accounts(`?account=${shared?.id}`);
    expect(one.accounts.map(({ org }) => org?.['name'])).toEqual(['Meridian Bank (2)']);
  });
});
