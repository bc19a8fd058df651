import { COUNTS } from '../../../apps/console-server/src/operations/start/counts.js';
import { START } from '../../../apps/console-server/src/operations/start/start.js';
import { storage } from '../../support/fixtures/stored-link.js';
import { storyOf, type Story } from '../links/support/story-of-link.js';
import { APP, ask, READER, serviceOfFile } from './support/console-stage.js';

serviceOfFile();

const CLIENT_ID = 'sandbox_pocket-ledger';
const NOTHING = {
  key_used_at: null,
  linked: null,
  delivered: null,
  repaired: null,
  rotated: null,
};
const start = () => ask(START, APP, { person: READER });
const secret = (secretId: string, createdAt: Date, lastUsedAt: Date | null = null) =>
  storage.ctx.database.prisma.clientSecret.create({
    data: { secretId, clientId: CLIENT_ID, secretHash: 'canary', createdAt, lastUsedAt },
  });

/** In order: each step is the only one that its rows add. */
describe('The first steps of an app', () => {
  let story: Story;

  it('are all open at first', async () => {
    await secret('sec_1', new Date('2026-03-01T00:00:00Z'));
    expect(await start()).toEqual(NOTHING);
  });

  it('show when a secret of the app was last used', async () => {
    await storage.ctx.database.prisma.clientSecret.update({
      where: { secretId: 'sec_1' },
      data: { lastUsedAt: new Date('2026-03-01T01:00:00Z') },
    });
    expect(await start()).toEqual({ ...NOTHING, key_used_at: '2026-03-01T01:00:00.000Z' });
  });

  it('show the first link', async () => {
    story = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
    await storyOf(storage, new Date('2026-03-02T00:00:00Z'));
    expect((await start()).linked).toEqual({
      link_id: story.link.linkId,
      at: story.at(1).toISOString(),
    });
  });

  it('show the newest event that was delivered', async () => {
    const event = await story.event(3, { webhook_event: 'link.state_changed', state: 'connected' });
    await story.delivery(event, { status: 'pending' });
    expect((await start()).delivered).toBeNull();
    await storage.ctx.database.prisma.webhookDelivery.updateMany({
      where: { eventPk: event },
      data: { status: 'delivered', lastAttemptAt: story.at(4) },
    });
    expect((await start()).delivered).toMatchObject({ at: story.at(4).toISOString() });
  });

  it('show a repair only after an error of the same link, and not a test event', async () => {
    const change = (minutes: number, state: string, fields: object = {}) =>
      story.event(minutes, { webhook_event: 'link.state_changed', state }, { ...fields });
    await change(5, 'error');
    expect((await start()).repaired).toBeNull();
    await change(5, 'connecting', { linkId: 'mk_other' });
    await change(6, 'connected', { linkId: 'mk_other' });
    await change(7, 'connected', { origin: 'test' });
    expect((await start()).repaired).toBeNull();
    await change(8, 'connecting');
    await change(9, 'connected');
    await change(10, 'connected');
    expect((await start()).repaired).toEqual({
      link_id: story.link.linkId,
      at: story.at(9).toISOString(),
    });
  });

  it('show a repair that the format of Plaid announced', async () => {
    await story.event(20, { webhook_event: 'ITEM.LOGIN_REPAIRED' }, { linkId: 'mk_plaid' });
    expect((await start()).repaired).toEqual({
      link_id: 'mk_plaid',
      at: story.at(20).toISOString(),
    });
  });

  it('show the newest secret of a key pair that had one before', async () => {
    expect((await start()).rotated).toBeNull();
    await secret('sec_2', new Date('2026-03-03T00:00:00Z'));
    expect((await start()).rotated).toEqual({
      client_id: CLIENT_ID,
      at: '2026-03-03T00:00:00.000Z',
    });
  });

  it('are those of one environment, and show no secret', async () => {
    expect(await ask(START, { ...APP, env: 'live' })).toEqual(NOTHING);
    expect(JSON.stringify(await start())).not.toContain('canary');
  });
});

describe('The counts of an app', () => {
  it('are its links in error, its events that are not delivered, and its sessions in progress', async () => {
    const story = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
    await storage.ctx.database.prisma.link.update({
      where: { pk: story.link.pk },
      data: { state: 'error', errorCode: 'auth_expired' },
    });
    await story.session(1, { state: 'open' });
    await story.delivery(await story.event(2, { webhook_event: 'x' }), { status: 'exhausted' });
    expect(await ask(COUNTS, APP, { person: READER })).toEqual({
      links_in_error: {
        auth_expired: 1,
        incomplete: 0,
        institution_error: 0,
        provider_error: 0,
        system_error: 0,
        user_error: 0,
      },
      events: { pending: 0, exhausted: 1, disabled: 0 },
      sessions: { created: 0, open: 1 },
      limit: 1000,
    });
  });
});
