import type { PairLimits } from '../../../prisma/tenants/applications/key-pair.repository.js';
import { KeyPairRepository } from '../../../prisma/tenants/applications/key-pair.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import { runCommand } from '../../support/actors/operator.js';
import { newKeyPair, tokenOfPair, type KeyPair } from '../../support/fixtures/key-pair.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { connectedFinanceApp, createToken, FinanceApp } from './support/finance-app.js';

const APP = 'pocket-ledger';
const SHARES: Partial<PairLimits> = { scopes: ['users:share'] };
const FORBIDDEN = { status: 403, text: 'Forbidden' };

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess();
});
afterAll(() => service?.close());

async function operate<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await runCommand([...args, '--json'], service.environment);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

interface Listed {
  token_id: string;
  user: string;
  created_by: string;
}
const listed = (...options: string[]) =>
  operate<Listed[]>('users', 'simplefin-tokens', 'list', APP, 'sandbox', ...options);
const tokenOf = (pair: KeyPair) => tokenOfPair(service, pair);

describe('A SimpleFIN token and its credential', () => {
  it('ends with a key pair that has an end, claimed or not', async () => {
    const endsAt = new Date(Date.now() + 3_600_000);
    const pair = await newKeyPair(service, { ...SHARES, endsAt });
    const token = await tokenOf(pair);
    const app = await connectedFinanceApp(service, token, 'with-end');
    const unclaimed = await createToken(service, token, 'with-end');
    expect((await app.send()).status).toBe(200);
    const shown = async () => {
      const { body } = await service.api
        .as(await service.token(APP))
        .get('/users/with-end/simplefin-tokens');
      const { tokens } = body as { tokens: { status: string; expires_at: string }[] };
      return tokens.map(({ status, expires_at: end }) => [status, end]);
    };
    const end = endsAt.toISOString().slice(0, -1);
    expect(await shown()).toEqual([
      ['active', end],
      ['unclaimed', end],
    ]);

    const over = new Date(Date.now() - 1_000);
    await new KeyPairRepository(service.ctx).restrict(pair.client_id, { endsAt: over });
    expect(await app.send()).toMatchObject(FORBIDDEN);
    expect(await new FinanceApp(service.api.baseUrl).claim(unclaimed.setup_token)).toMatchObject(
      FORBIDDEN,
    );
    expect((await shown()).map(([status]) => status)).toEqual(['ended', 'ended']);
  });

  it('ends with its key pair when the operator disables it with --simplefin', async () => {
    const [leaked, other] = [await newKeyPair(service, SHARES), await newKeyPair(service, SHARES)];
    const app = await connectedFinanceApp(service, await tokenOf(leaked), 'shared');
    const untouched = await connectedFinanceApp(service, await tokenOf(other), 'shared');
    const unclaimed = await createToken(service, await tokenOf(leaked), 'shared');
    // A replaced pair leaves its finance apps, and says so.
    expect(await operate('clients', 'disable', leaked.client_id)).toMatchObject({
      simplefin_tokens_revoked: 0,
      simplefin_tokens_left: 2,
    });
    expect((await app.send()).status).toBe(200);
    expect(await operate('clients', 'disable', leaked.client_id, '--simplefin')).toMatchObject({
      simplefin_tokens_revoked: 2,
      simplefin_tokens_left: 0,
    });
    expect(await app.send()).toMatchObject(FORBIDDEN);
    expect(await new FinanceApp(service.api.baseUrl).claim(unclaimed.setup_token)).toMatchObject(
      FORBIDDEN,
    );
    expect((await untouched.send()).status).toBe(200);
  });

  it('is not created by a call that a disabled key pair still has in progress', async () => {
    const pair = await newKeyPair(service, SHARES);
    const token = await tokenOf(pair);
    const disabling = await service.database.pool.connect();
    await disabling.query('BEGIN');
    await disabling.query('UPDATE api_clients SET disabled_at = now() WHERE client_id = $1', [
      pair.client_id,
    ]);
    const creation = service.api.as(token).post('/users/late/simplefin-tokens');
    await eventually(async () => {
      const { rows } = await service.database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%api_clients%'`,
      );
      expect(rows.length).toBeGreaterThan(0);
    });
    await disabling.query('COMMIT');
    disabling.release();
    expect((await creation).status).toBe(401);
    expect(await listed('--user', 'late')).toEqual([]);
  });

  it('is listed and revoked by app, user, key pair and time', async () => {
    const [one, two] = [await newKeyPair(service, SHARES), await newKeyPair(service, SHARES)];
    const ids = [];
    for (const [pair, user] of [
      [one, 'ann'],
      [one, 'bob'],
      [two, 'ann'],
    ] as const)
      ids.push((await createToken(service, await tokenOf(pair), user)).token_id);
    const { token_id: ofOperator } = await operate<{ token_id: string }>(
      ...['users', 'simplefin-tokens', 'create', APP, 'sandbox', '--user', 'ann'],
    );
    const [first = '', second = '', third = ''] = ids;
    const age = (tokenId: string, createdAt: string) =>
      service.database.prisma.simplefinToken.update({
        where: { tokenId },
        data: { createdAt: new Date(createdAt) },
      });
    await age(first, '2026-03-01T10:00:00Z');
    await age(second, '2026-03-02T10:00:00Z');

    expect(await listed('--user', 'ann')).toMatchObject([
      { token_id: first, user: 'ann', created_by: one.client_id },
      { token_id: third, user: 'ann', created_by: two.client_id },
      { token_id: ofOperator, user: 'ann', created_by: 'operator' },
    ]);
    const idsOf = async (...options: string[]) =>
      (await listed(...options)).map(({ token_id: id }) => id);
    expect(await idsOf('--client', one.client_id)).toEqual([first, second]);
    expect(await idsOf('--client', one.client_id, '--limit', '1')).toEqual([first]);
    expect(await idsOf('--before', '2026-03-02')).toEqual([first]);
    expect(await idsOf('--after', '2026-03-02', '--before', '2026-03-03')).toEqual([second]);

    const revoke = (...options: string[]) =>
      operate('users', 'simplefin-tokens', 'revoke-all', APP, 'sandbox', ...options);
    expect(await revoke('--client', one.client_id, '--after', '2026-03-02')).toEqual({
      revoked: 1,
    });
    expect(await idsOf('--client', one.client_id)).toEqual([first]);
    expect(await idsOf('--user', 'ann')).toEqual([first, third, ofOperator]);
    expect(await revoke('--user', 'ann')).toEqual({ revoked: 3 });
  });
});
