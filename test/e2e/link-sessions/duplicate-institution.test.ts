import { randomUUID } from 'node:crypto';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  CREDENTIALS_BANK,
  linkCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { ConnectVisit, expectStatus, INSTANT_BANK } from '../../support/actors/link-journey.js';
import {
  chooseOAuthBank,
  goThroughOAuthBank,
  OAUTH_BANK,
  REDIRECT_URI,
} from '../../support/actors/oauth-journey.js';
import { operate } from '../../support/actors/operator.js';
import { service, app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

const FEATURES = { connect_features: { duplicate_institution_rejected: true } };
const DUPLICATE = {
  kind: 'error',
  error_id: 'connect_error.duplicate_institution',
  fault: 'user',
  link_error: null,
  actions: ['choose_another', 'exit'],
};

serviceOfFile();
beforeAll(async () => {
  // Without the operator's permission the feature is refused.
  expect(
    await app.call('POST', '/link-session', { body: { customer_user: { id: 'u' }, ...FEATURES } }),
  ).toMatchObject({ status: 403, body: { error_code: 'link_session_error.forbidden_config' } });
  await operate(
    service.dataDir,
    'apps',
    'update',
    service.app.app_id,
    '--feature',
    'duplicate_institution_rejected',
  );
});

async function visit(
  userId: string,
  fields: Record<string, unknown> = FEATURES,
): Promise<ConnectVisit> {
  const { link_session_token: token } = await app.createSession({
    customer_user: { id: userId },
    redirect_uri: REDIRECT_URI,
    ...fields,
  });
  return ConnectVisit.open(app.baseUrl, token);
}

// link-lifecycle 2.5, duplicate_institution_rejected.
describe('A second link of a user at one bank', () => {
  it('is refused at the choice of the bank without creating a link, and another bank can be chosen', async () => {
    const id = randomUUID();
    const { linkId } = await linkCredentialsBank(app, 'user_good', { customer_user: { id } });
    const one = await visit(id);
    expect((await one.select(CREDENTIALS_BANK)).step).toMatchObject(DUPLICATE);
    expect(await truth.linkOfSession(one.view.session_id)).toBeNull();
    expect((await one.answer({ kind: 'error', action: 'choose_another' })).step.kind).toBe(
      'select_institution',
    );
    expect((await one.select(INSTANT_BANK)).step.kind).toBe('success');

    // A link is not a duplicate when it belongs to another user, lacks the feature, is a relink or
    // follows a deletion.
    expect((await (await visit(randomUUID())).select(CREDENTIALS_BANK)).step.kind).toBe('form');
    expect((await (await visit(id, {})).select(CREDENTIALS_BANK)).step.kind).toBe('form');
    expect(
      (await (await visit(id, { ...FEATURES, existing_link_id: linkId })).settle()).step.kind,
    ).toBe('form');
    await expectStatus(204, app.call('DELETE', `/links/${linkId}`));
    expect((await (await visit(id)).select(CREDENTIALS_BANK)).step.kind).toBe('form');
  });

  it('is refused in a session for that bank, which offers no other', async () => {
    const id = randomUUID();
    await linkCredentialsBank(app, 'user_good', { customer_user: { id } });
    const one = await visit(id, { ...FEATURES, institution_id: CREDENTIALS_BANK });
    expect((await one.settle()).step).toMatchObject({ ...DUPLICATE, actions: ['exit'] });
  });

  it("is refused before the redirect to a bank's own pages", async () => {
    const id = randomUUID();
    const { visit: first } = await chooseOAuthBank(app, { customer_user: { id } });
    await goThroughOAuthBank(first);
    await expectStatus(201, app.exchange((await first.finish()).exchangeable_token));
    expect((await (await visit(id)).select(OAUTH_BANK)).step).toMatchObject(DUPLICATE);
  });

  it('is allowed when the first attempt was abandoned', async () => {
    const id = randomUUID();
    const { visit: left } = await chooseCredentialsBank(app, { customer_user: { id } });
    await left.exit();
    expect((await (await visit(id)).select(CREDENTIALS_BANK)).step.kind).toBe('form');
  });

  it('is refused at the end when another session completed first, and becomes incomplete', async () => {
    const customer = { customer_user: { id: randomUUID() }, ...FEATURES };
    const visits = [
      await chooseCredentialsBank(app, customer),
      await chooseCredentialsBank(app, customer),
    ].map((chosen) => chosen.visit);
    for (const one of visits) {
      await signIn(one, 'user_good');
      await one.answer({ kind: 'consent', granted: ['accounts', 'transactions'] });
    }
    const ends = await Promise.all(visits.map((one) => answerQuestions(one)));
    expect(ends.map(({ step }) => step.kind).sort()).toEqual(['error', 'success']);
    const slower = visits.find(({ view }) => view.step.kind === 'error');
    expect(slower?.view.step).toMatchObject(DUPLICATE);
    await slower?.exit();
    expect(await truth.linkOfSession(slower?.view.session_id ?? '')).toMatchObject({
      state: 'error',
      error_code: 'incomplete',
    });
  });
});
