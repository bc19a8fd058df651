import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeWithPython } from '../../support/receivers/python.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const REQUIREMENTS = fileURLToPath(new URL('simplefin-client.requirements.txt', import.meta.url));

/** Claims a setup token, then reads everything that the client has calls for. */
const READ_ALL = `
import json, sys
from datetime import date
from simplefin import SimpleFINClient
client = SimpleFINClient(SimpleFINClient.get_access_url(sys.argv[1]))
accounts = client.get_accounts()
rows = client.get_transactions(accounts[0]["id"], date(2026, 10, 1))
one = client.get_account(accounts[1]["id"])
print(json.dumps({"accounts": accounts, "rows": rows, "one": one, "info": client.get_info()}, default=str))
`;

interface ReadAll {
  accounts: { id: string; name: string; balance: string }[];
  rows: { amount: string; description: string; posted: string }[];
  one: { name: string };
  info: { versions: string[] };
}

// The client is third-party software: it reads SimpleFIN as others understand it.
describeWithPython(
  'the SimpleFIN simulator and the client "simplefin" of PyPI',
  REQUIREMENTS,
  (python) => {
    let simulator: TestSimulator;
    beforeAll(async () => {
      simulator = await startVendorSimulator('simplefin', {
        now: new Date('2026-11-25T10:00:00Z'),
      });
    });
    afterAll(() => simulator.close());
    const newToken = async (): Promise<string> =>
      (await simulator.post('simplefin/setup-token', { customer: 'trial' }))['setupToken'] ?? '';
    const run = (token: string) =>
      promisify(execFile)(python, ['-c', READ_ALL, token], {
        env: { PATH: process.env['PATH'], TZ: 'UTC' },
      });

    it('claims a token and reads the rows of the ledger', async () => {
      const { stdout } = await run(await newToken());
      const { accounts, rows, one, info } = JSON.parse(stdout) as ReadAll;
      const { customers } = await simulator.ledger();
      const truth = customers[0]?.connections.flatMap((connection) => connection.accounts) ?? [];
      expect(info.versions).toContain('1.0');
      expect(accounts).toHaveLength(10);
      expect(one.name).toContain('Rainy Day Savings');
      expect(rows.length).toBeGreaterThan(5);
      expect(rows.map(({ amount, description, posted }) => [amount, description, posted])).toEqual(
        truth[0]?.rows
          .filter(({ day, status }) => day >= '2026-10-01' && status === 'posted')
          .map(({ amount, description, instant }) => [
            amount,
            description,
            `${instant.slice(0, 19).replace('T', ' ')}+00:00`,
          ]),
      );
    });

    it('reports a token that was claimed before', async () => {
      const token = await newToken();
      await run(token);
      await expect(run(token)).rejects.toThrow('Invalid setup token');
    });
  },
  { modules: 'simplefin', minVersion: [3, 13] },
);
