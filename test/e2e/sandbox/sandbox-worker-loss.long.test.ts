import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import type { TransactionsPage } from '../../support/actors/response-bodies.js';
import { SandboxCaller, type AdvanceBody } from '../../support/actors/sandbox-caller.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

jest.setTimeout(300_000);

const CREDENTIALS = 'sandbox-credentials-bank';
const END = '2026-03-22T00:00:00';

let service: Standalone;
let app: AppBackEnd;
let sandbox: SandboxCaller;
let truth: StoredTruth;

beforeAll(async () => {
  service = await Standalone.start({
    env: { SANDBOX_BANK_DELAY_FACTOR: '0', RATE_LIMIT_API: 'off', RATE_LIMIT_TOKEN: 'off' },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  sandbox = new SandboxCaller(app);
  truth = new StoredTruth(() => service.info.database_url);
});
afterAll(() => service?.dispose());

async function worldWithFaults() {
  const { world_id: id } = await sandbox.world({ start: '2026-03-02T00:00:00', seed: 7 });
  const { link_id: linkId } = await sandbox.link({
    world_id: id,
    customer_user: { id: 'user-1' },
    settings: { products: ['accounts', 'transactions'] },
  });
  await sandbox.fault(CREDENTIALS, {
    world_id: id,
    operation: 'transactions',
    kind: 'timeout',
    count: 5,
  });
  await sandbox.fault(CREDENTIALS, {
    world_id: id,
    operation: 'any',
    kind: 'server_error',
    count: 9,
  });
  return { id, linkId };
}

/** Repeats the call until the world has arrived. */
async function arrived(id: string): Promise<AdvanceBody['ran']> {
  let response: AdvanceBody;
  do response = await sandbox.advance(id, { to: END });
  while (!response.settled);
  return response.ran;
}

async function summarize({ id, linkId }: { id: string; linkId: string }, ran: AdvanceBody['ran']) {
  const {
    link_id: _,
    created_at: __,
    // The database's own time, not that of the world.
    updated_at: ___,
    ...link
  } = (await app.link(linkId)) as unknown as Record<string, unknown>;
  const { transactions } = await app.get<TransactionsPage>(
    `/links/${linkId}/transactions?size=1000`,
  );
  const events = (await truth.events(linkId)).map(({ body }) =>
    JSON.stringify({
      ...(JSON.parse(body) as Record<string, unknown>),
      link_id: '',
      webhook_idempotency_key: '',
    }),
  );
  return {
    ran,
    link,
    transactions: transactions
      .map((row) => JSON.stringify({ ...row, transaction_id: '', account_id: '' }))
      .sort(),
    // Prefetched products complete in any order.
    events: [...events.slice(0, 5).sort(), ...events.slice(5)],
    world: (await sandbox.ask<{ now: string }>('GET', `/sandbox/worlds/${id}`)).now,
  };
}

it('An advance whose worker is killed repeatedly has the same result as an undisturbed one, also with faults at the bank', async () => {
  const [quiet, disturbed] = [await worldWithFaults(), await worldWithFaults()];
  const undisturbed = await summarize(quiet, await arrived(quiet.id));
  expect(undisturbed.ran.scheduled_refreshes).toBeGreaterThan(60);

  const going = arrived(disturbed.id);
  for (const day of ['04', '09', '15']) {
    await eventually(async () =>
      expect(
        (await sandbox.ask<{ now: string }>('GET', `/sandbox/worlds/${disturbed.id}`)).now >=
          `2026-03-${day}`,
      ).toBe(true),
    );
    await service.untilRestarted('worker', service.kill('worker'));
  }
  expect(await summarize(disturbed, await going)).toEqual(undisturbed);
});
