import { eventually } from '../../support/assertions/eventually.js';
import { app, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';
import { connectedLink, isRevoked, keptOf, NOTHING } from './support/kept-data.js';

serviceOfFile();

describe('A deleted link', () => {
  it('has its permission revoked at the bank, and its data erased', async () => {
    const { linkId, connection } = await connectedLink(app, truth);
    expect(await isRevoked(truth, connection)).toBe(false);
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    expect(await keptOf(truth, linkId)).toMatchObject(NOTHING);
    await eventually(async () =>
      expect(await keptOf(truth, linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
    expect(await isRevoked(truth, connection)).toBe(true);
    expect(
      (await truth.rows("SELECT 1 FROM data_keys WHERE owner LIKE 'revocation/%'")).length,
    ).toBe(0);
    expect((await truth.story(linkId)).filter((event) => event === 'state deleted')).toHaveLength(
      1,
    );
    expect((await truth.story(linkId)).at(-1)).toBe('state deleted');
  });

  it('is deleted completely when the permission no longer exists at the bank', async () => {
    const { linkId, connection } = await connectedLink(app, truth);
    await truth.rows(
      'UPDATE sandbox_bank.connection SET revoked_at = now() WHERE connection_id = $1',
      [connection],
    );
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    await eventually(async () =>
      expect(await keptOf(truth, linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
  });

  it('can be read for 90 days, and not afterwards', async () => {
    const { linkId } = await connectedLink(app, truth);
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
