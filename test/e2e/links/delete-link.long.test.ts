import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import {
  app,
  gate,
  service,
  startServiceBehindGate,
  truth,
} from '../../support/fixtures/service-behind-gate.js';

startServiceBehindGate({ EXCHANGE_WINDOW: '30s' });

/** A link with stored data, and the bank's id of its permission. */
async function connected(): Promise<{ linkId: string; connection: string }> {
  const { linkId } = await linkInstantBank(app);
  await app.untilRefreshed(linkId, 'transactions');
  return { linkId, connection: await connectionOf(linkId) };
}

async function connectionOf(linkId: string): Promise<string> {
  const [row] = await truth.rows<{ reference: string }>(
    'SELECT c.reference FROM provider_credentials c JOIN links l ON l.pk = c.link_pk WHERE l.link_id = $1',
    [linkId],
  );
  return row?.reference ?? '';
}

const isRevoked = async (connection: string): Promise<boolean | undefined> =>
  (
    await truth.rows<{ revoked: boolean }>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM sandbox_bank.connection WHERE connection_id = $1',
      [connection],
    )
  )[0]?.revoked;

/** The data that is still stored of a link besides its bare record. */
async function kept(linkId: string): Promise<Record<string, number>> {
  const [row] = await truth.rows<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM accounts a WHERE a.link_pk = l.pk) AS accounts,
            (SELECT count(*)::int FROM transaction_versions t WHERE t.link_pk = l.pk) AS rows,
            (SELECT count(*)::int FROM provider_credentials c WHERE c.link_pk = l.pk) AS credentials,
            (SELECT count(*)::int FROM permission_revocations r WHERE r.link_pk = l.pk) AS revocations,
            (SELECT count(*)::int FROM data_keys k WHERE k.owner LIKE '%' || l.link_id) AS keys
       FROM links l WHERE l.link_id = $1`,
    [linkId],
  );
  return row ?? {};
}

const NOTHING = { accounts: 0, rows: 0, credentials: 0, keys: 0 };

describe('A deleted link', () => {
  it('is deleted at once while its bank is down, and its permission is revoked later, also by another worker', async () => {
    const { linkId, connection } = await connected();
    gate.set('cut');
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    expect((await app.call('GET', `/links/${linkId}/accounts`)).status).toBe(410);
    await eventually(async () => {
      const [row] = await truth.rows<{ attempts: number }>(
        'SELECT r.attempts FROM permission_revocations r JOIN links l ON l.pk = r.link_pk WHERE l.link_id = $1',
        [linkId],
      );
      expect(row?.attempts).toBeGreaterThan(0);
    });
    expect(await kept(linkId)).toEqual({ ...NOTHING, revocations: 1 });
    const pid = service.kill('worker');
    gate.set('open');
    await service.untilRestarted('worker', pid);
    await eventually(async () =>
      expect(await kept(linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
    expect(await isRevoked(connection)).toBe(true);
    expect((await truth.story(linkId)).at(-1)).toBe('state deleted');
  });

  it('is deleted although its worker is lost during the call', async () => {
    const { linkId, connection } = await connected();
    gate.set('hang');
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    await eventually(async () => {
      const rows = await truth.rows(
        'SELECT 1 FROM permission_revocations r JOIN links l ON l.pk = r.link_pk WHERE l.link_id = $1 AND r.attempts = 1',
        [linkId],
      );
      expect(rows).toHaveLength(1);
    });
    const pid = service.kill('worker');
    gate.set('cut');
    gate.set('open');
    await service.untilRestarted('worker', pid);
    await eventually(async () => expect(await isRevoked(connection)).toBe(true));
    await eventually(async () =>
      expect(await kept(linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
  });
});

describe('A link that was never exchanged', () => {
  it('has its permission revoked when its exchange expires', async () => {
    const { link_session_token: token } = await app.createSession({
      customer_user: { id: 'late' },
    });
    const visit = await ConnectVisit.open(app.baseUrl, token);
    await visit.select();
    const link = await truth.linkOfSession(visit.view.session_id);
    const connection = await connectionOf(link?.link_id ?? '');
    await eventually(async () =>
      expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
        state: 'error',
        error_code: 'user_error',
      }),
    );
    await eventually(async () => expect(await isRevoked(connection)).toBe(true));
    await eventually(async () =>
      expect(await kept(link?.link_id ?? '')).toEqual({ ...NOTHING, revocations: 0 }),
    );
  });
});
