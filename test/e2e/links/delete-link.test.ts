import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { eventually } from '../../support/assertions/eventually.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';

let service: SharedService;
let app: AppBackEnd;
let truth: StoredTruth;

beforeAll(async () => {
  service = await shareService();
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
});

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
  it('has its permission revoked at the bank, and its data erased', async () => {
    const { linkId, connection } = await connected();
    expect(await isRevoked(connection)).toBe(false);
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    expect(await kept(linkId)).toMatchObject(NOTHING);
    await eventually(async () =>
      expect(await kept(linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
    expect(await isRevoked(connection)).toBe(true);
    expect(
      (await truth.rows("SELECT 1 FROM data_keys WHERE owner LIKE 'revocation/%'")).length,
    ).toBe(0);
    expect((await truth.story(linkId)).filter((event) => event === 'state deleted')).toHaveLength(
      1,
    );
    expect((await truth.story(linkId)).at(-1)).toBe('state deleted');
  });

  it('is deleted completely when the permission no longer exists at the bank', async () => {
    const { linkId, connection } = await connected();
    await truth.rows(
      'UPDATE sandbox_bank.connection SET revoked_at = now() WHERE connection_id = $1',
      [connection],
    );
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    await eventually(async () =>
      expect(await kept(linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
  });

  it('can be read for 90 days, and not afterwards', async () => {
    const { linkId } = await connected();
    await app.call('DELETE', `/links/${linkId}`);
    const age = (days: string) =>
      truth.rows('UPDATE links SET deleted_at = now() - $2::interval WHERE link_id = $1', [
        linkId,
        days,
      ]);
    await age('89 days 23 hours');
    expect(await app.link(linkId)).toMatchObject({
      link_id: linkId,
      state: 'deleted',
      error_code: null,
    });
    await age('90 days');
    expect(await app.call('GET', `/links/${linkId}`)).toMatchObject({
      status: 404,
      body: { error_code: 'link_error.not_found' },
    });
    expect(await app.call('DELETE', `/links/${linkId}`)).toMatchObject({ status: 404 });
    expect((await truth.story(linkId)).at(-1)).toBe('state deleted');
  });
});
