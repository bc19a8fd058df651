import { createFdxBank } from '../../../apps/vendor-simulators/src/fdx-bank/create-fdx-bank.js';
import type { FdxBank } from '../../../apps/vendor-simulators/src/fdx-bank/fdx-bank.types.js';
import { Ledger } from '../../../apps/vendor-simulators/src/ledger/ledger.js';
import { createFdxClient } from './fdx-client.js';

describe('a login at an FDX bank', () => {
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
  });
  afterAll(() => bank.close());

  it('gives a DPoP-bound token after PAR with private_key_jwt', async () => {
    const client = await createFdxClient(bank, 'first-fdx');
    const tokens = await client.logIn();
    expect(tokens.token_type).toBe('dpop');
    expect((await client.get(tokens.access_token, '/accounts')).status).toBe(200);
  });
});
