import { BANK_DAY } from '../../../apps/console-server/src/operations/banks/bank-day.js';
import { storage } from '../../support/fixtures/stored-link.js';
import { storyOf, type Story } from '../links/support/story-of-link.js';
import { APP, ask, READER, serviceOfFile } from './support/console-stage.js';

serviceOfFile();

const FIRST_AT = new Date('2026-03-01T10:15:00Z');
const NOW = new Date('2026-03-02T09:30:00Z');
const day = (input: object = {}) =>
  ask(BANK_DAY, { ...APP, institution_id: 'test-bank', ...input }, { person: READER, now: NOW });
const filled = <Hour extends { hour: string }>(hours: readonly Hour[]) =>
  hours
    .filter(({ hour: _, ...counts }) => Object.values(counts).some((count) => count !== 0))
    .map(({ hour, ...counts }) => ({ hour: hour.slice(0, 13), ...counts }));

let story: Story;
beforeAll(async () => {
  story = await storyOf(storage, FIRST_AT);
});

describe('The day of a bank', () => {
  it('has 24 hours, of which the last one is the current hour', async () => {
    const { hours, refreshes } = await day();
    const starts = hours.map(({ hour }) => hour);
    expect(starts).toHaveLength(24);
    expect([starts[0], starts.at(-1)]).toEqual([
      '2026-03-01T10:00:00.000Z',
      '2026-03-02T09:00:00.000Z',
    ]);
    expect(refreshes.map(({ hour }) => hour)).toEqual(starts);
  });

  it('counts attempts as succeeded, failed at the bank, or left by their user', async () => {
    const ended = { state: 'ended', endReason: 'expired' };
    const left = { ...ended, exit: { at: story.at(1).toISOString(), kind: null, problem: null } };
    const fail = async (minutes: number, failedCause: string, fields: object = {}) =>
      story.route(minutes, {
        sessionId: await story.session(minutes, left),
        failedCause,
        ...fields,
      });
    await story.session(0, { state: 'ended', succeededAt: story.at(2) });
    await fail(60, 'institution_down');
    await fail(61, 'invalid_credentials');
    await fail(62, 'institution_down', { institutionId: 'another-bank' });
    await story.session(63, ended);
    await story.session(64, { state: 'ended', endReason: 'superseded' });
    await story.session(65, { state: 'open', expiresAt: new Date(NOW.getTime() + 60_000) });
    await story.session(66, { ...ended, institutionId: 'another-bank' });
    await story.session(-60, ended);
    const { hours, sessions_counted: counted } = await day();
    expect(filled(hours)).toEqual([
      { hour: '2026-03-01T10', ok: 1, failed: 0, left: 0 },
      { hour: '2026-03-01T11', ok: 0, failed: 1, left: 3 },
    ]);
    expect(counted).toBe(7);
  });

  it('counts an attempt that succeeded after a failed login as succeeded', async () => {
    const sessionId = await story.session(300, { state: 'ended', succeededAt: story.at(301) });
    await story.route(300, { sessionId, failedCause: 'institution_down' });
    expect(filled((await day()).hours).at(-1)).toEqual({
      hour: '2026-03-01T15',
      ok: 1,
      failed: 0,
      left: 0,
    });
  });

  it('shows the last refresh of each link by its hour, and none that is in progress', async () => {
    const { prisma } = storage.ctx.database;
    const set = (product: string, data: object) =>
      prisma.linkProduct.updateMany({ where: { linkPk: story.link.pk, product }, data });
    await set('accounts', {
      state: 'failed',
      errorCode: 'timeout',
      fetchedInRun: 1n,
      attemptBeganAt: story.at(30),
    });
    await set('transactions', {
      state: 'completed',
      fetchedInRun: 2n,
      attemptBeganAt: story.at(120),
    });
    expect(await day()).toMatchObject({ links_counted: 1, is_cut: false });
    expect(filled((await day()).refreshes)).toEqual([{ hour: '2026-03-01T12', ok: 1, failed: 0 }]);
    await set('transactions', { state: 'in_progress' });
    expect(filled((await day()).refreshes)).toEqual([{ hour: '2026-03-01T10', ok: 0, failed: 1 }]);
  });

  it('counts nothing of another environment, and is unknown for an unknown bank', async () => {
    const live = await day({ env: 'live' });
    expect([filled(live.hours), live.links_counted]).toEqual([[], 0]);
    await expect(day({ institution_id: 'none' })).rejects.toMatchObject({
      status: 404,
      code: 'institution_error.not_found',
    });
  });
});
