import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Decimal } from 'decimal.js';
import { pythonWith, type PythonNeeds } from '../../../docs/generators/python.mjs';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import { app, service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
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
import { liveThroughAMonth, newSetupToken, type ReadWindow } from './support/month-of-a-user.js';

serviceOfFile();

const USER = 'user-of-a-month';
const PYTHON_CLIENT = fileURLToPath(
  new URL('../../integration/vendor-simulators/simplefin-client.requirements.txt', import.meta.url),
);
const PYTHON = { modules: 'simplefin', minVersion: [3, 13] } satisfies PythonNeeds;

/** One day of the month: what the API returns, and what each reader reads. */
interface Reading {
  api: EverythingRead;
  byAdapter: EverythingRead;
  byProtocol: EverythingRead;
  errors: string[];
  /** Null without the client of PyPI, which reads posted rows only. */
  byPython: EverythingRead | null;
}
const month: Reading[] = [];

beforeAll(async () => {
  const provider = simplefinAt(service.info.base_url, { now: () => new Date() });
  let access: ProviderAccess | null = null;
  let financeApp: FinanceApp | null = null;
  const python = await PythonClient.connect(await newSetupToken(USER));
  await liveThroughAMonth(USER, async (window) => {
    access ??= await linkedAt(provider);
    financeApp ??= await connected();
    const { everything: byProtocol, errors } = await readByProtocol(financeApp, window);
    month.push({
      api: await readThroughApi(app, USER, window),
      byAdapter: await readByAdapter(provider, access, window),
      byProtocol,
      errors,
      byPython: (await python?.read(window)) ?? null,
    });
  });
}, 300_000);

describe('The rows that a finance app reads through SimpleFIN', () => {
  it('equal those of the API through a month with pending and withdrawn rows and a failing bank', () => {
    for (const { api, byAdapter, byProtocol } of month) {
      expect(byAdapter).toEqual(api);
      expect(byProtocol).toEqual(api);
    }
    expect(month.at(-1)?.api.rows.length).toBeGreaterThan(20);
    const pending = month.filter(({ api }) => api.rows.some((row) => row.endsWith('pending')));
    expect(pending.length).toBeGreaterThan(1);
    expect(month.filter(({ errors }) => errors.length > 0)).not.toEqual([]);
  });
});

describeWithPython(
  'the client "simplefin" of PyPI and the SimpleFIN server',
  PYTHON_CLIENT,
  () => {
    it('reads the posted rows and the balances of the API through the same month', () => {
      expect(month.map(({ byPython }) => byPython)).toEqual(
        month.map(({ api: { balances, rows } }) => ({
          balances,
          rows: rows.filter((row) => row.endsWith('posted')),
        })),
      );
    });
  },
  PYTHON,
);

async function connected(): Promise<FinanceApp> {
  const finance = new FinanceApp(service.info.base_url);
  await finance.connect(await newSetupToken(USER));
  return finance;
}

async function linkedAt(provider: Provider): Promise<ProviderAccess> {
  const outcome = await submitToken(
    provider,
    loginContext({ remoteId: 'us' }),
    await newSetupToken(USER),
  );
  if (outcome.kind !== 'linked') throw new Error('the setup token was refused');
  return accessWith(outcome, 'us');
}

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

/** With a setup token claims it, with an access URL reads every account with its posted rows. */
const PYTHON_PROGRAM = `
import json, sys
from datetime import date
from simplefin import SimpleFINClient
if len(sys.argv) == 2:
    print(json.dumps(SimpleFINClient.get_access_url(sys.argv[1])))
else:
    client = SimpleFINClient(sys.argv[1])
    accounts = client.get_accounts()
    rows = {a["id"]: client.get_transactions(a["id"], date.fromisoformat(sys.argv[2])) for a in accounts}
    print(json.dumps({"accounts": accounts, "rows": rows, "info": client.get_info()}, default=str))
`;

/** The client `simplefin` of PyPI with the access of a claimed token. */
class PythonClient {
  private constructor(
    private readonly python: string,
    private readonly accessUrl: string,
  ) {}

  /** @returns null where it cannot be installed */
  static async connect(setupToken: string): Promise<PythonClient | null> {
    const found = pythonWith(PYTHON_CLIENT, PYTHON);
    if ('missing' in found) return null;
    return new PythonClient(found.path, await runPython<string>(found.path, setupToken));
  }

  async read({ start }: ReadWindow): Promise<EverythingRead> {
    const { accounts, rows, info } = await runPython<{
      accounts: { id: string; balance: string; currency: string }[];
      rows: Record<string, { id: string; posted: string; amount: string }[]>;
      info: { versions: string[] };
    }>(this.python, this.accessUrl, start);
    expect(info.versions).toContain('1.0');
    return sorted({
      balances: accounts.map(({ id, balance, currency }) => readBalance(id, balance, currency)),
      rows: accounts.flatMap(({ id: accountId, currency }) =>
        (rows[accountId] ?? []).map(({ id, posted, amount }) =>
          readRow({ accountId, id, day: posted.slice(0, 10), amount, currency, pending: false }),
        ),
      ),
    });
  }
}

async function runPython<T>(python: string, ...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(python, ['-c', PYTHON_PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
  });
  return JSON.parse(stdout) as T;
}
