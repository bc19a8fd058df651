import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { openSandboxBank, connectionTo, type TestSandboxBank } from './support/sandbox-bank.js';
import { bankApi } from './bank-api.js';
import { asLinked, bankCustomer, refusal, rowsOf } from './bank-customer.js';

const MARCH = new Date('2026-03-02T10:00:00Z');
const MINUTE_MS = 60_000;
const WINDOW = { from: '2025-12-03', to: '2026-04-01' };
const OVER = refusal('consent_expired');

describe('Permissions of the sandbox banks', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let provider: SandboxProvider;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await openSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
  });
  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });

  const after = (minutes: number) => ({
    worldTime: new Date(MARCH.getTime() + minutes * MINUTE_MS),
  });

  describe.each(['sandbox-credentials-bank', 'sandbox-oauth-bank'])('at %s', (remoteId) => {
    const customer = () => bankCustomer(provider, remoteId);
    const link = (
      userName: string,
      more: Parameters<ReturnType<typeof bankCustomer>['contextOf']>[0] = {},
    ) => {
      const context = { worldId: 'march', worldSeed: '7', worldTime: MARCH, ...more };
      return remoteId === 'sandbox-oauth-bank'
        ? customer().signInOnPages(userName, context)
        : customer().logIn(userName, [], context);
    };
    const linked = async (...args: Parameters<typeof link>) => ({
      ...customer().accessOf(await link(...args)),
      ...after(0),
    });

    it('last for 24 hours of world time for auth_expires, and again after a relink', async () => {
      const first = await linked('auth_expires');
      const idsBefore = (await provider.fetchAccounts(first)).accounts.map(
        ({ providerAccountId }) => providerAccountId,
      );
      const rowsBefore = (await rowsOf(provider, first, WINDOW)).map(
        ({ providerTransactionId }) => providerTransactionId,
      );
      expect(
        (await provider.fetchAccounts({ ...first, ...after(24 * 60 - 1) })).accounts,
      ).toHaveLength(3);
      expect(await provider.fetchPermissionEnd?.(first)).toEqual(after(24 * 60).worldTime);
      const late = { ...first, ...after(24 * 60) };
      await expect(provider.fetchAccounts(late)).rejects.toMatchObject(OVER);
      await expect(rowsOf(provider, late, WINDOW)).rejects.toMatchObject(OVER);

      const again = {
        ...(await linked('auth_expires', {
          ...after(24 * 60),
          relink: { reference: 'con_whatever' },
        })),
        ...after(24 * 60),
      };
      expect(
        (await provider.fetchAccounts(again)).accounts.map(
          ({ providerAccountId }) => providerAccountId,
        ),
      ).toEqual(idsBefore);
      const rowsAfter = (await rowsOf(provider, again, WINDOW)).map(
        ({ providerTransactionId }) => providerTransactionId,
      );
      expect(rowsAfter).toEqual(expect.arrayContaining(rowsBefore));
    });

    it('of error_auth_expired have expired at the first fetch after the login', async () => {
      const access = await linked('error_auth_expired');
      expect((await provider.fetchAccounts(access)).accounts).toHaveLength(3);
      await expect(provider.fetchAccounts(access)).rejects.toMatchObject(OVER);
      const other = await linked('error_auth_expired');
      await expect(rowsOf(provider, other, WINDOW)).rejects.toMatchObject(OVER);
    });

    it('can be ended by the bank and repaired by a new login', async () => {
      const access = await linked('user_good');
      await provider.sandbox?.expirePermission(access);
      await provider.sandbox?.expirePermission(access);
      await expect(provider.fetchAccounts(access)).rejects.toMatchObject(OVER);
      expect((await provider.fetchAccounts(await linked('user_good'))).accounts).toHaveLength(3);
      await provider.revoke?.(access);
    });

    it('change the rows of user_dynamic by 2, 3 and 1 in every fetch, also across a relink', async () => {
      const outcome = await link('user_dynamic', { customerUserId: 'dynamo' });
      const access = { ...customer().accessOf(outcome), ...after(0) };
      let before = await rowsOf(provider, access, WINDOW);
      expect({
        all: before.length,
        pending: before.filter(({ pending }) => pending).length,
      }).toEqual({ all: 12, pending: 2 });
      for (let fetch = 0; fetch < 3; fetch += 1)
        before = await expectChanges(before, await rowsOf(provider, access, WINDOW));

      const reference = asLinked(outcome).reference;
      const relinked = await linked('user_dynamic', {
        customerUserId: 'dynamo',
        relink: { reference },
      });
      await expectChanges(before, await rowsOf(provider, relinked, WINDOW));
      const anotherLink = await linked('user_dynamic', { customerUserId: 'dynamo' });
      expect(await rowsOf(provider, anotherLink, WINDOW)).toHaveLength(12);
    });

    it('count a fetch with a key once, however often and in however many windows it is retried', async () => {
      const access = { ...(await linked('user_dynamic')), fetchKey: 'run 1' };
      const first = await rowsOf(provider, access, WINDOW);
      expect(await rowsOf(provider, access, { ...WINDOW, from: '2024-03-03' })).toEqual(first);
      await expectChanges(first, await rowsOf(provider, { ...access, fetchKey: 'run 2' }, WINDOW));
    });
  });

  async function expectChanges<Row extends Awaited<ReturnType<typeof rowsOf>>[number]>(
    before: Row[],
    after: Row[],
  ): Promise<Row[]> {
    const old = new Map(before.map((row) => [row.providerTransactionId, row]));
    const ids = new Set(after.map(({ providerTransactionId }) => providerTransactionId));
    const created = after.filter(({ providerTransactionId }) => !old.has(providerTransactionId));
    const removed = before.filter(({ providerTransactionId }) => !ids.has(providerTransactionId));
    const updated = after.filter((row) => {
      const earlier = old.get(row.providerTransactionId);
      return (
        earlier !== undefined &&
        (earlier.pending !== row.pending || !earlier.amount.equals(row.amount))
      );
    });
    expect({ created: created.length, updated: updated.length, removed: removed.length }).toEqual({
      created: 2,
      updated: 3,
      removed: 1,
    });
    return after;
  }

  it('show owners and account numbers only to their holder', async () => {
    const outcome = asLinked(
      await bankCustomer(provider, 'sandbox-credentials-bank').logIn('user_good'),
    );
    const { access_token: token } = JSON.parse(new TextDecoder().decode(outcome.credential)) as {
      access_token: string;
    };
    const read = async (part: string, bearer: string) =>
      (
        await bankApi(bank).call('GET', `/v1/connections/${outcome.reference}/${part}`, {
          headers: { authorization: `Bearer ${bearer}` },
        })
      ).body;
    expect(await read('account-numbers', token)).toMatchObject({
      account_numbers: [
        { account_number: '100020001101', routing_number: '999000014' },
        { account_number: '100020002202' },
      ],
    });
    expect(await read('owners', token)).toMatchObject({
      owners: [
        {
          account_ids: [expect.any(String), expect.any(String), expect.any(String)],
          names: [expect.any(String)],
        },
      ],
    });
    for (const part of ['account-numbers', 'owners'])
      expect(await read(part, 'at_x')).toMatchObject({ error: { code: 'invalid_token' } });
  });
});
