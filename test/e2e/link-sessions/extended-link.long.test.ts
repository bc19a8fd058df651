import { randomUUID } from 'node:crypto';
import { EXTEND_EXISTING, LINK_SEPARATELY } from '../../../domain/session/extension-offer.js';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  CREDENTIALS_BANK,
  linkCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import { REDIRECT_URI } from '../../support/actors/oauth-journey.js';
import { operate } from '../../support/actors/operator.js';
import { service, app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

const WARNS = { connect_features: { duplicate_institution_warning: true } };
const OFFER = {
  kind: 'choice',
  purpose: 'option',
  max: 1,
  error: null,
  can_go_back: true,
  options: [
    { id: EXTEND_EXISTING, label: 'Renew the connection you have', icon: null },
    { id: LINK_SEPARATELY, label: 'Add a separate connection', icon: null },
  ],
};

serviceOfFile();
beforeAll(async () => {
  await operate(
    service.dataDir,
    'apps',
    'update',
    service.app.app_id,
    '--feature',
    'duplicate_institution_warning',
  );
});

async function visit(userId: string, fields: Record<string, unknown>): Promise<ConnectVisit> {
  const { link_session_token: token } = await app.createSession({
    customer_user: { id: userId },
    redirect_uri: REDIRECT_URI,
    ...fields,
  });
  return ConnectVisit.open(app.baseUrl, token);
}

// link-lifecycle 2.5, duplicate_institution_warning; docs/decisions/0011.
describe('A user with a link at the bank, in a session that warns', () => {
  it('can extend it: the user is asked before the login, gets no token and keeps all ids, and the app learns which link was extended', async () => {
    const id = randomUUID();
    const { linkId } = await linkCredentialsBank(app, 'user_good', {
      customer_user: { id },
      tags: ['kept'],
    });
    const accounts = async () =>
      (
        await app.get<{ accounts: { account_id: string }[] }>(`/links/${linkId}/accounts`)
      ).accounts.map(({ account_id: each }) => each);
    const before = await accounts();
    await expectStatus(200, app.call('POST', `/links/${linkId}/reset`));
    const one = await visit(id, { ...WARNS, products_settings: { identity: { prefetch: true } } });
    expect(await one.select(CREDENTIALS_BANK)).toMatchObject({
      mode: 'link',
      institution: { institution_id: CREDENTIALS_BANK },
      step: OFFER,
    });
    expect(await truth.linkOfSession(one.view.session_id)).toBeNull();
    expect(await one.answer({ kind: 'choice', option_ids: [EXTEND_EXISTING] })).toMatchObject({
      mode: 'relink',
      step: { kind: 'form' },
    });
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'auth_expired' });
    await signIn(one, 'user_good');
    expect(one.view.step).toMatchObject({ kind: 'consent' });
    expect((await answerQuestions(one)).step.kind).toBe('success');
    const result = await one.finish();
    expect(result).toMatchObject({ mode: 'relink', existing_link_id: linkId });
    expect(result).not.toHaveProperty('exchangeable_token');
    expect(result.accounts.map(({ account_id: each }) => each)).toEqual(before);
    expect(await app.link(linkId)).toMatchObject({
      state: 'connected',
      tags: ['kept'],
      products: { identity: {} },
    });
    expect(await accounts()).toEqual(before);
  });

  it('leaves it unchanged on exit, and can create a new link instead', async () => {
    const id = randomUUID();
    const { linkId } = await linkCredentialsBank(app, 'user_good', { customer_user: { id } });
    await app.untilRefreshed(linkId, 'transactions');
    const story = await truth.story(linkId);
    const one = await visit(id, WARNS);
    await one.select(CREDENTIALS_BANK);
    await one.answer({ kind: 'choice', option_ids: [EXTEND_EXISTING] });
    expect(await one.answer({ kind: 'back' })).toMatchObject({
      mode: 'link',
      step: { kind: 'select_institution' },
    });
    expect((await one.select(CREDENTIALS_BANK)).step).toMatchObject(OFFER);
    expect(await one.answer({ kind: 'choice', option_ids: [LINK_SEPARATELY] })).toMatchObject({
      mode: 'link',
      step: { kind: 'form' },
    });
    await signIn(one, 'user_good');
    await answerQuestions(one);
    const { link_id: another } = await expectStatus(
      201,
      app.exchange((await one.finish()).exchangeable_token),
    );
    expect(another).not.toBe(linkId);
    expect(await truth.story(linkId)).toEqual(story);
  });
});
