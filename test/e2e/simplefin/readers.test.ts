import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Decimal } from 'decimal.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import {
  app,
  sandbox,
  service,
  shareSandboxService,
} from '../../support/fixtures/sandbox-service.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import { simplefinAt, submitToken } from '../../support/fixtures/simplefin-server.js';
import { describeWithPython } from '../../support/receivers/python.js';
import { epoch, FinanceApp } from './support/finance-app.js';
import {
  readBalance,
  readRow,
  readThroughApi,
  sorted,
  type EverythingRead,
} from './support/everything-read.js';
import { FAILING_BANK, liveThroughAMonth, newSetupToken } from './support/month-of-a-user.js';

shareSandboxService();

const USER = 'user-of-a-month';

describe('The rows that a finance app reads through SimpleFIN', () => {
  it('equal those of the API on every day of a month, with pending and withdrawn rows and a failing bank', async () => {
    const provider = simplefinAt(service.info.base_url, { now: () => new Date() });
    let access: ProviderAccess | null = null;
    let financeApp: FinanceApp | null = null;
    const states = { pending: 0, rows: 0, failing: 0 };
    await liveThroughAMonth(USER, async (window) => {
      access ??= await linkedAt(provider);
      financeApp ??= await connected();
      const api = await readThroughApi(app, USER, window);
      expect(await readByAdapter(provider, access, window)).toEqual(api);
      const { everything, errors } = await readByProtocol(financeApp, window);
      expect(everything).toEqual(api);
      states.rows = api.rows.length;
      if (api.rows.some((row) => row.endsWith('pending'))) states.pending += 1;
      if (errors.length > 0) states.failing += 1;
    });
    expect(states.rows).toBeGreaterThan(20);
    expect(states.pending).toBeGreaterThan(1);
    expect(states.failing).toBeGreaterThan(0);
  });

  const connected = async (): Promise<FinanceApp> => {
    const finance = new FinanceApp(service.info.base_url);
    await finance.connect(await newSetupToken(USER));
    return finance;
  };

  const linkedAt = async (provider: Provider): Promise<ProviderAccess> => {
    const outcome = await submitToken(
      provider,
      loginContext({ remoteId: 'us' }),
      await newSetupToken(USER),
    );
    if (outcome.kind !== 'linked') throw new Error('the setup token was refused');
    return accessWith(outcome, 'us');
  };
});

/** The adapter of this repository, as it reads any SimpleFIN server. */
async function readByAdapter(
  provider: Provider,
  access: ProviderAccess,
  { start, end }: { start: string; end: string },
): Promise<EverythingRead> {
  const { accounts } = await provider.fetchAccounts(access);
  const rows: string[] = [];
  for await (const { transactions } of provider.fetchTransactions?.(access, {
    from: start,
    to: end,
  }) ?? [])
    for (const row of transactions)
      rows.push(
        readRow({
          accountId: row.providerAccountId,
          id: row.providerTransactionId.split('/')[1] ?? '',
          day: row.date,
          amount: row.type === 'debit' ? row.amount.neg() : row.amount,
          currency: row.currency,
          pending: row.pending,
        }),
      );
  return sorted({
    balances: accounts.map(({ providerAccountId, accountType, current, currency }) =>
      readBalance(
        providerAccountId,
        (current ?? new Decimal(Number.NaN)).mul(accountType.startsWith('liability.') ? -1 : 1),
        currency,
      ),
    ),
    rows,
  });
}

/** The protocol itself, in version 1, as Actual reads it. */
async function readByProtocol(
  finance: FinanceApp,
  { start, end }: { start: string; end: string },
): Promise<{ everything: EverythingRead; errors: string[] }> {
  const { accounts, errors = [] } = await finance.accounts(
    `?start-date=${epoch(start)}&end-date=${epoch(addDays(end, 1))}&pending=1`,
  );
  const everything = sorted({
    balances: accounts.map(({ id, balance, currency }) => readBalance(id, balance, currency)),
    rows: accounts.flatMap(({ id: accountId, currency, transactions }) =>
      transactions.map(({ id, posted, transacted_at: happened = 0, amount, pending }) =>
        readRow({
          accountId,
          id,
          day: utcDay(new Date((pending === true ? happened : posted) * 1_000)),
          amount,
          currency,
          pending: pending === true,
        }),
      ),
    ),
  });
  return { everything, errors };
}

/** Claims a setup token and reads every account with its posted rows. */
const READ_ALL = `
import json, sys
from datetime import date
from simplefin import SimpleFINClient
client = SimpleFINClient(SimpleFINClient.get_access_url(sys.argv[1]))
accounts = client.get_accounts()
rows = {a["id"]: client.get_transactions(a["id"], date.fromisoformat(sys.argv[2])) for a in accounts}
print(json.dumps({"accounts": accounts, "rows": rows, "info": client.get_info()}, default=str))
`;

describeWithPython(
  'the client "simplefin" of PyPI and the SimpleFIN server',
  fileURLToPath(
    new URL(
      '../../integration/vendor-simulators/simplefin-client.requirements.txt',
      import.meta.url,
    ),
  ),
  (python) => {
    const user = 'user-of-the-python-client';

    it('reads the posted rows and the balances of the API', async () => {
      await sandbox.link({ institution_id: FAILING_BANK, customer_user: { id: user } });
      const setupToken = await newSetupToken(user);
      const today = utcDay(new Date());
      const start = addDays(today, -60);
      const { stdout } = await promisify(execFile)(python, ['-c', READ_ALL, setupToken, start], {
        env: { PATH: process.env['PATH'], TZ: 'UTC' },
      });
      const { accounts, rows, info } = JSON.parse(stdout) as {
        accounts: { id: string; balance: string; currency: string }[];
        rows: Record<string, { id: string; posted: string; amount: string }[]>;
        info: { versions: string[] };
      };
      const api = await readThroughApi(app, user, { start, end: today });
      expect(info.versions).toContain('1.0');
      expect(
        sorted({
          balances: accounts.map(({ id, balance, currency }) => readBalance(id, balance, currency)),
          rows: accounts.flatMap(({ id: accountId, currency }) =>
            (rows[accountId] ?? []).map(({ id, posted, amount }) =>
              readRow({
                accountId,
                id,
                day: posted.slice(0, 10),
                amount,
                currency,
                pending: false,
              }),
            ),
          ),
        }),
      ).toEqual({ ...api, rows: api.rows.filter((row) => row.endsWith('posted')) });
    });
  },
  { modules: 'simplefin', minVersion: [3, 13] },
);
