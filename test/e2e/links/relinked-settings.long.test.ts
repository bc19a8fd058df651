import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  goThroughCredentialsBank,
  linkCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import {
  app,
  truth,
  receiver,
  shareServiceForRelinks,
  relink,
  reset,
  accountsOf,
  untilAnnounced,
  REPAIRED,
} from './support/relinks.js';

const moved = { status: 409, body: { error_code: 'connect_error.session_moved' } };

shareServiceForRelinks();

describe('The webhook and tags of a relinked link (link-lifecycle 15, check 8)', () => {
  it('stay when the session names none, are replaced by those it names, and are removed on request', async () => {
    const { linkId } = await linkInstantBank(app, { webhook: receiver.url(), tags: ['tier:gold'] });
    await reset(linkId);
    await relink(linkId);
    expect(await app.link(linkId)).toMatchObject({
      state: 'connected',
      webhook: receiver.url(),
      tags: ['tier:gold'],
    });

    await reset(linkId);
    await relink(linkId, { webhook: receiver.url('/other'), tags: ['tier:lead'] });
    expect(await app.link(linkId)).toMatchObject({
      webhook: receiver.url('/other'),
      tags: ['tier:lead'],
    });
    await receiver.until((received) =>
      received.some(
        ({ path, body }) =>
          path === '/other' && body['state'] === 'connected' && body.link_id === linkId,
      ),
    );

    await relink(linkId, { webhook: null, tags: [] });
    expect(await app.link(linkId)).toMatchObject({ webhook: null, tags: [] });
  });
});

describe('A link that was never connected', () => {
  it('is completed by a relink of the same user, with the questions of a first link', async () => {
    const { visit: first } = await chooseCredentialsBank(app);
    await signIn(first, 'error_incomplete');
    const linkId = (await truth.linkOfSession(first.view.session_id))?.link_id ?? '';
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'incomplete' });
    const { visit } = await relink(linkId);
    expect((await signIn(visit, 'error_incomplete')).step.kind).toBe('consent');
    expect((await answerQuestions(visit)).step.kind).toBe('success');
    expect(await visit.finish()).not.toHaveProperty('exchangeable_token');
    await untilAnnounced(linkId, ['state error/incomplete', ...REPAIRED.slice(1)]);
    expect(Object.keys((await app.link(linkId)).products)).toEqual(['accounts', 'transactions']);
    expect(await accountsOf(linkId)).toHaveLength(3);
    expect(
      (await app.get<{ links: { link_id: string }[] }>('/links')).links.map(
        ({ link_id: id }) => id,
      ),
    ).toContain(linkId);
  });

  it.each<[string, (visit: ConnectVisit) => Promise<unknown>, string]>([
    [
      'was abandoned at the accounts',
      async (visit) => {
        await signIn(visit, 'user_good');
        await visit.answer({ kind: 'consent', granted: ['transactions'] });
        await visit.exit();
      },
      'incomplete',
    ],
    [
      'failed at the bank',
      (visit) => signIn(visit, 'error_institution_error'),
      'institution_error',
    ],
  ])('because it %s is connected by a relink', async (_, fail, linkError) => {
    const { visit: first } = await chooseCredentialsBank(app);
    await fail(first);
    const linkId = (await truth.linkOfSession(first.view.session_id))?.link_id ?? '';
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: linkError });
    const { visit } = await relink(linkId);
    expect((await goThroughCredentialsBank(visit, 'user_good')).step.kind).toBe('success');
    await app.untilRefreshed(linkId, 'transactions');
    expect(await app.link(linkId)).toMatchObject({ state: 'connected' });
  });
});

describe('The relink session of a link', () => {
  it('is replaced by a newer one, and its window receives session_moved', async () => {
    const { linkId } = await linkCredentialsBank(app);
    const older = await relink(linkId);
    const waiting = older.visit.call('GET', `/session?after_seq=${older.visit.view.seq}&wait=20`);
    const newer = await relink(linkId);
    expect(await waiting).toMatchObject(moved);
    expect(
      await older.visit.submit({
        kind: 'form',
        values: { username: 'user_good', password: 'pass_good' },
      }),
    ).toMatchObject(moved);
    expect(await ConnectVisit.openCall(app.baseUrl, older.token)).toMatchObject(moved);
    expect((await goThroughCredentialsBank(newer.visit, 'user_good')).step.kind).toBe('success');
    expect((await older.visit.exit()).status).toBe(200);
  });

  it('ends when the link is deleted', async () => {
    const { linkId } = await linkCredentialsBank(app);
    const { visit } = await relink(linkId);
    await expectStatus(204, app.call('DELETE', `/links/${linkId}`));
    expect(
      await visit.submit({
        kind: 'form',
        values: { username: 'user_good', password: 'pass_good' },
      }),
    ).toMatchObject({ status: 410, body: { error_code: 'connect_error.session_closed' } });
  });
});
