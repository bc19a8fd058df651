import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit } from '../../support/actors/link-journey.js';
import {
  app,
  gate,
  service,
  startServiceBehindGate,
  truth,
} from '../../support/fixtures/service-behind-gate.js';
import { connectedLink, connectionOf, isRevoked, keptOf, NOTHING } from './support/kept-data.js';

startServiceBehindGate({ EXCHANGE_WINDOW: '30s' });

describe('A deleted link', () => {
  it('is deleted at once while its bank is down, and its permission is revoked later, also by another worker', async () => {
    const { linkId, connection } = await connectedLink(app, truth);
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
    expect(await keptOf(truth, linkId)).toEqual({ ...NOTHING, revocations: 1 });
    const pid = service.kill('worker');
    gate.set('open');
    await service.untilRestarted('worker', pid);
    await eventually(async () =>
      expect(await keptOf(truth, linkId)).toEqual({ ...NOTHING, revocations: 0 }),
    );
    expect(await isRevoked(truth, connection)).toBe(true);
    expect((await truth.story(linkId)).at(-1)).toBe('state deleted');
  });

  it('is deleted although its worker is lost during the call', async () => {
    const { linkId, connection } = await connectedLink(app, truth);
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
    await eventually(async () => expect(await isRevoked(truth, connection)).toBe(true));
    await eventually(async () =>
      expect(await keptOf(truth, linkId)).toEqual({ ...NOTHING, revocations: 0 }),
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
    const connection = await connectionOf(truth, link?.link_id ?? '');
    await eventually(async () =>
      expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
        state: 'error',
        error_code: 'user_error',
      }),
    );
    await eventually(async () => expect(await isRevoked(truth, connection)).toBe(true));
    await eventually(async () =>
      expect(await keptOf(truth, link?.link_id ?? '')).toEqual({ ...NOTHING, revocations: 0 }),
    );
  });
});
