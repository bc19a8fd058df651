import { app, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
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
});
