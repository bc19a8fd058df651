import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { ActualServer } from './actual/actual-server.js';
import { readBalance, readRow, readThroughApi, sorted } from './support/everything-read.js';
import { liveThroughAMonth, newSetupToken, type ReadWindow } from './support/month-of-a-user.js';

serviceOfFile();

const USER = 'user-of-actual-budget';
let actual: ActualServer;
beforeAll(async () => {
  actual = await ActualServer.start();
}, 300_000);
afterAll(() => actual?.stop());

async function readByActual({ start }: ReadWindow) {
  const listed = await actual.accounts();
  if ('error_type' in listed) throw new Error(`Actual shows ${listed.error_type}`);
  const { accounts } = listed;
  const ids = accounts.map(({ id }) => id);
  const rows = await actual.rows(ids, start);
  return {
    everything: sorted({
      balances: accounts.map(({ id, balance, currency }) => readBalance(id, balance, currency)),
      rows: accounts.flatMap(({ id: accountId, currency }) =>
        (rows[accountId]?.transactions.all ?? []).map((row) =>
          readRow({
            accountId,
            id: row.transactionId,
            day: row.date,
            amount: row.transactionAmount.amount,
            currency,
            pending: !row.booked,
          }),
        ),
      ),
    }),
    inHundredths: accounts.map(({ id }) => rows[id]?.startingBalance),
    balances: accounts.map(({ balance }) => Math.round(Number(balance) * 100)),
  };
}

describe('Actual Budget', () => {
  it('shows an invalid token as such', async () => {
    await actual.pasteSetupToken(
      Buffer.from(`${app.baseUrl}/simplefin/claim/x`).toString('base64'),
    );
    expect(await actual.accounts()).toMatchObject({ error_code: 'INVALID_ACCESS_TOKEN' });
  });

  it('reads through SimpleFIN what the API returns, through a month with pending and withdrawn rows and a failing bank', async () => {
    let isConnected = false;
    await liveThroughAMonth(USER, async (window) => {
      if (!isConnected) await actual.pasteSetupToken(await newSetupToken(USER));
      isConnected = true;
      const { everything, inHundredths, balances } = await readByActual(window);
      expect(everything).toEqual(await readThroughApi(app, USER, window));
      expect(inHundredths).toEqual(balances);
    });
  });

  it('refuses the accounts of the one login that needs its user, and reads those of another at the same bank', async () => {
    const user = 'user-with-two-logins';
    const links: string[] = [];
    for (let login = 0; login < 2; login += 1)
      links.push((await sandbox.link({ customer_user: { id: user } })).link_id);
    await sandbox.ask('POST', `/sandbox/links/${links[0]}/expire-auth`, { mode: 'now' });
    await actual.forgetAccess();
    await actual.pasteSetupToken(await newSetupToken(user));
    await actual.accounts();
    const idsOf = async (linkId: string | undefined) => {
      const { body } = await sandbox.send('GET', `/links/${linkId}/accounts`);
      return (body as { accounts: { account_id: string }[] }).accounts.map(
        (each) => each.account_id,
      );
    };
    const [expired, healthy] = [await idsOf(links[0]), await idsOf(links[1])];
    const refused = await actual.refused(
      [...expired, ...healthy],
      addDays(utcDay(new Date()), -30),
    );
    expect(healthy.length).toBeGreaterThan(0);
    expect(refused).toEqual(
      Object.fromEntries(expired.map((id) => [id, 'ACCOUNT_NEEDS_ATTENTION'])),
    );
  });
});
