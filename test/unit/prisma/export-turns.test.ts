import type { Tenant } from '../../../domain/api/environment.js';
import { ExportTurns } from '../../../prisma/views/exports/export-turns.js';

const APP: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
const pair = (clientId: string): Tenant => ({ ...APP, share: { clientId, percent: 25 } });

async function* text(): AsyncGenerator<string> {
  yield 'first';
  yield 'second';
}

/** Reads the first chunk; true once it has arrived. */
function begin(turns: ExportTurns, tenant: Tenant) {
  const read = turns.inTurn(tenant, text());
  const state = { hasBegun: false };
  const first = read.next().then(() => {
    state.hasBegun = true;
  });
  return { state, first, end: () => read.return(undefined) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('The exports of a key pair with a share of its own', () => {
  it('run one after the other, and leave those of other pairs and of the app alone', async () => {
    const turns = new ExportTurns();
    const [one, second] = [begin(turns, pair('a')), begin(turns, pair('a'))];
    const others = [begin(turns, pair('b')), begin(turns, APP), begin(turns, APP)];
    await settled();
    expect([one, second, ...others].map(({ state }) => state.hasBegun)).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);
    await one.end();
    await second.first;
    await second.end();
    const third = begin(turns, pair('a'));
    await third.first;
    expect(third.state.hasBegun).toBe(true);
  });
});
