import { answerQuestions } from '../../support/actors/answer-questions.js';
import { chooseCredentialsBank, signIn } from '../../support/actors/credentials-journey.js';
import { expectStatus } from '../../support/actors/link-journey.js';
import type { AccountBody, TransactionsPage } from '../../support/actors/response-bodies.js';
import { operate } from '../../support/actors/operator.js';
import { service, app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

serviceOfFile();
beforeAll(async () => {
  const { app_id: appId } = service.app;
  await operate(
    service.dataDir,
    'apps',
    'update',
    appId,
    '--feature',
    'permit_only_one_account',
    '--feature',
    'permit_only_depository_accounts',
  );
});

const names = (accounts: readonly { name: string }[]) => accounts.map(({ name }) => name);
const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];

describe('The consent of a user', () => {
  it('limits the contents of the link', async () => {
    const { visit } = await chooseCredentialsBank(app, {
      products_settings: { transactions: { prefetch: true, reason: 'show your spending' } },
    });
    expect(await signIn(visit, 'user_good')).toMatchObject({
      step: {
        kind: 'consent',
        products: [
          {},
          {
            product: 'transactions',
            reason: 'show your spending',
            required: false,
            granted: true,
            locked: false,
          },
        ],
      },
    });
    await visit.answer({ kind: 'consent', granted: ['accounts'] });
    expect(names(visit.view.step.accounts ?? [])).toEqual(ALL);
    await visit.answer({ kind: 'select_accounts', refs: ['a2'] });
    const { exchangeable_token: token, accounts } = await visit.finish();
    expect(names(accounts)).toEqual(['Rainy Day Savings']);
    const { link_id: linkId, link } = await expectStatus(201, app.exchange(token));
    expect(Object.keys(link.products)).toEqual(['accounts']);
    expect(await app.call('GET', `/links/${linkId}/transactions`)).toMatchObject({
      status: 403,
      body: { error_code: 'link_error.forbidden_action' },
    });
    expect(
      names((await app.get<{ accounts: AccountBody[] }>(`/links/${linkId}/accounts`)).accounts),
    ).toEqual(['Rainy Day Savings']);
    expect(await truth.story(linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state connected',
      'accounts completed',
    ]);
  });

  it('includes a product that cannot be declined although it is not required (link-lifecycle 2.3)', async () => {
    const { visit } = await chooseCredentialsBank(app, {
      products_settings: { identity: { require_permission: true }, transactions: {} },
    });
    const asked = await signIn(visit, 'user_good');
    const free = { required: false, granted: true, already_granted: false };
    expect(asked).toMatchObject({
      step: {
        kind: 'consent',
        products: [
          { product: 'accounts', required: true, locked: true },
          { product: 'identity', ...free, locked: true },
          { product: 'transactions', ...free, locked: false },
        ],
      },
      products: { identity: { required: false }, transactions: { required: false } },
    });
    const declined = await visit.submit({ kind: 'consent', granted: ['accounts', 'transactions'] });
    expect(declined).toMatchObject({
      status: 422,
      body: { error_code: 'connect_error.invalid_input' },
    });
    expect(await visit.poll()).toMatchObject({ seq: asked.seq, step: { kind: 'consent' } });
    await visit.answer({ kind: 'consent', granted: ['accounts', 'identity'] });
    await answerQuestions(visit);
    const { link } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    expect(Object.keys(link.products)).toEqual(['accounts', 'identity']);
  });

  it('limits the transactions that are fetched', async () => {
    const { visit } = await chooseCredentialsBank(app);
    await signIn(visit, 'user_good');
    await visit.answer({ kind: 'consent', granted: ['transactions'] });
    await visit.answer({ kind: 'select_accounts', refs: ['a3'] });
    const { link_id: linkId } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    await app.untilRefreshed(linkId, 'transactions');
    const { transactions, accounts, total } = await app.get<TransactionsPage>(
      `/links/${linkId}/transactions?size=500`,
    );
    expect(names(accounts)).toEqual(['Rewards Card']);
    expect(total).toBeGreaterThan(0);
    expect(new Set(transactions.map(({ account_id: accountId }) => accountId))).toEqual(
      new Set(accounts.map(({ account_id: accountId }) => accountId)),
    );
  });

  it('can be changed by going back from the accounts', async () => {
    const { visit } = await chooseCredentialsBank(app, { products_settings: { transactions: {} } });
    await signIn(visit, 'user_good');
    await visit.answer({ kind: 'consent', granted: ['accounts'] });
    expect(await visit.answer({ kind: 'back' })).toMatchObject({
      step: {
        kind: 'consent',
        products: [
          { product: 'accounts', granted: true },
          { product: 'transactions', granted: false },
        ],
      },
    });
    await visit.answer({ kind: 'consent', granted: ['accounts', 'transactions'] });
    await visit.answer({ kind: 'select_accounts', refs: ['a1', 'a2', 'a3'] });
    const { link } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    expect(Object.keys(link.products)).toEqual(['accounts', 'transactions']);
  });

  it.each<[string, unknown, string]>([
    ['consent without a required product', { kind: 'consent', granted: ['accounts'] }, 'granted'],
    [
      'consent to a product that is not offered',
      { kind: 'consent', granted: ['accounts', 'transactions', 'identity'] },
      'granted',
    ],
  ])('is refused: %s', async (_, input, field) => {
    const { visit } = await chooseCredentialsBank(app);
    const { seq } = await signIn(visit, 'user_good');
    const refused = await visit.submit(input);
    expect(refused).toMatchObject({
      status: 422,
      body: { error_code: 'connect_error.invalid_input' },
    });
    expect(refused.body.validation_errors?.[0]?.location.slice(0, 3)).toEqual([
      'body',
      'input',
      field,
    ]);
    expect(await visit.poll()).toMatchObject({ seq, step: { kind: 'consent' } });
  });

  it.each<[string, unknown]>([
    ['no account', []],
    ['an unknown account', ['a1', 'a9']],
  ])('is refused with %s', async (_, refs) => {
    const { visit } = await chooseCredentialsBank(app);
    await signIn(visit, 'user_good');
    await visit.answer({ kind: 'consent', granted: ['transactions'] });
    expect(await visit.submit({ kind: 'select_accounts', refs })).toMatchObject({
      status: 422,
      body: { error_code: 'connect_error.invalid_input' },
    });
    expect(await visit.submit({ kind: 'select_accounts', refs: ['a1'] })).toMatchObject({
      status: 200,
      body: { step: { kind: 'success' } },
    });
  });

  it('covers one account, or accounts of one type, when the app accepts no others', async () => {
    const { visit } = await chooseCredentialsBank(app, {
      connect_features: { permit_only_one_account: true, permit_only_depository_accounts: true },
    });
    await signIn(visit, 'user_good');
    await visit.answer({ kind: 'consent', granted: ['transactions'] });
    expect(visit.view).toMatchObject({
      step: {
        kind: 'select_accounts',
        min: 1,
        max: 1,
        accounts: [
          { name: 'Everyday Checking', selected: false },
          { name: 'Rainy Day Savings', selected: false },
        ],
      },
    });
    expect(await visit.submit({ kind: 'select_accounts', refs: ['a1', 'a2'] })).toMatchObject({
      status: 422,
    });
    await visit.answer({ kind: 'select_accounts', refs: ['a1'] });
    expect(names((await visit.finish()).accounts)).toEqual(['Everyday Checking']);
  });
});
