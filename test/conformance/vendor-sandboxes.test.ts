import { COUNTRIES } from '../../domain/institutions/countries.js';
import { ADAPTERS } from '../../providers/adapters.js';
import type { Provider } from '../../providers/contract/provider.js';
import { accessWith, loginContext } from '../support/fixtures/provider-calls.js';
import { submitToken } from '../support/fixtures/simplefin-server.js';
import { VENDOR_KEYS, vendorConfiguration } from '../support/proof/vendor-keys.js';

const { env } = process;

describe('Runs against sandboxes of vendors', () => {
  it('know the keys that each adapter needs', () => {
    for (const { name } of ADAPTERS)
      expect(vendorConfiguration(name, {})).toEqual({ missing: VENDOR_KEYS[name]?.needed });
  });
});

for (const adapter of ADAPTERS) {
  const configuration = vendorConfiguration(adapter.name, env);
  const title = `the sandbox of the vendor behind ${adapter.name}`;
  if ('missing' in configuration) {
    const needed = configuration.missing.join(', ');
    process.stderr.write(`SKIPPED: ${title}, which needs ${needed}.\n`);
    describe.skip(`${title} (needs ${needed})`, () => describeSandbox(() => null, adapter.name));
  } else describe(title, () => describeSandbox(() => adapter.create(configuration), adapter.name));
}

function describeSandbox(create: () => Provider | null, name: string): void {
  const provider = (): Provider => {
    const created = create();
    if (created === null) throw new Error('no keys');
    return created;
  };
  const soon = () => AbortSignal.timeout(120_000);

  it('accepts the keys', async () => {
    const { ok, lines } = await provider().check(soon());
    expect({ ok, failed: lines.filter((line) => !line.ok) }).toEqual({ ok: true, failed: [] });
  });

  it('lists institutions', async () => {
    const request = { countries: COUNTRIES, note: () => undefined, signal: soon() };
    const pages = provider().listInstitutions?.(request) ?? [];
    let count = 0;
    for await (const page of pages) count += page.length;
    expect(count).toBeGreaterThan(0);
  });

  if (name === 'simplefin')
    it('claims the setup token, and reads accounts and rows', async () => {
      const opened = provider();
      const context = loginContext({ remoteId: 'us' });
      const outcome = await submitToken(opened, context, env['SIMPLEFIN_DEMO_TOKEN'] ?? '');
      if (outcome.kind !== 'linked') throw new Error('the token was refused');
      const access = accessWith(outcome, 'us');
      expect((await opened.fetchAccounts(access)).accounts).not.toHaveLength(0);
      const day = (daysAgo: number) =>
        new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
      const pages = opened.fetchTransactions?.(access, { from: day(30), to: day(0) }) ?? [];
      for await (const { transactions } of pages) expect(Array.isArray(transactions)).toBe(true);
    });
}
