import { randomUUID } from 'node:crypto';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  CREDENTIALS_BANK,
  goThroughCredentialsBank,
  linkCredentialsBank,
  passFactors,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { AppBackEnd, ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import type { AccountBody, TransactionsPage } from '../../support/actors/response-bodies.js';
import { operate } from '../../support/actors/operator.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

const PREFETCHED = [
  'state connected',
  'accounts completed',
  'transactions completed',
  'transactions.updates_available has_history=false',
];

let service: SharedService;
let app: AppBackEnd;
let truth: StoredTruth;

beforeAll(async () => {
  service = await shareService();
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
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
});

const names = (accounts: readonly { name: string }[]) => accounts.map(({ name }) => name);
const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];

describe('A user of Credentials Bank who can sign in (link-lifecycle 15, check 1)', () => {
  it.each<[string, string[]]>([
    ['user_good', ['form']],
    ['mfa_sms', ['form', 'otp']],
    ['mfa_email', ['form', 'otp']],
    ['mfa_choice', ['form', 'choice', 'otp']],
    ['mfa_questions', ['form', 'form']],
    ['mfa_image', ['form', 'image']],
    ['mfa_push', ['form']],
    ['slow_5', ['form']],
    ['auth_expires', ['form']],
    ['user_dynamic', ['form']],
  ])('links as %s after the steps %j, consent and accounts', async (userName, factors) => {
    const { visit } = await chooseCredentialsBank(app);
    const seen: string[] = [];
    const consent = await passFactors(visit, userName, seen);
    expect(seen).toEqual(factors);
    expect(consent).toMatchObject({
      institution: { institution_id: CREDENTIALS_BANK, login: 'credentials' },
      step: {
        kind: 'consent',
        can_go_back: false,
        products: [
          { product: 'accounts', required: true, locked: true },
          { product: 'transactions', required: true, granted: true, locked: true },
        ],
      },
    });
    const accounts = await visit.answer({ kind: 'consent', granted: ['accounts', 'transactions'] });
    expect(accounts).toMatchObject({ step: { kind: 'select_accounts', can_go_back: true } });
    expect(await answerQuestions(visit)).toMatchObject({ step: { kind: 'success' } });
    const result = await visit.finish();
    expect(names(result.accounts)).toEqual(ALL);
    const { link_id: linkId } = await expectStatus(201, app.exchange(result.exchangeable_token));
    await app.untilRefreshed(linkId, 'transactions');
    expect(await truth.story(linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      ...PREFETCHED,
    ]);
  });

  it("links as user_custom with the accounts of the session's sandbox data", async () => {
    const custom = {
      accounts: [
        {
          account_type: 'liability.credit_card',
          name: 'Only Card',
          account_number: '400012345678',
          balances: {
            currency: 'USD',
            available: 10.5,
            current: 2,
            limit: 100,
            balance_date: null,
          },
        },
      ],
      transactions: [
        {
          account: 0,
          date: new Date().toISOString().slice(0, 10),
          amount: 12.5,
          type: 'debit',
          description: 'Custom row',
          pending: true,
        },
      ],
    };
    const { linkId } = await linkCredentialsBank(app, 'user_custom', {
      custom_sandbox_data: custom,
    });
    expect(await app.get(`/links/${linkId}/accounts`)).toMatchObject({
      accounts: [{ name: 'Only Card', account_mask: '5678' }],
    });
    await app.untilRefreshed(linkId, 'transactions');
    expect(await app.get(`/links/${linkId}/transactions`)).toMatchObject({
      total: 1,
      transactions: [{ amount: 12.5, description: 'Custom row' }],
    });

    const { visit } = await chooseCredentialsBank(app, {
      custom_sandbox_data: custom,
      connect_features: { permit_only_depository_accounts: true },
    });
    expect(await signIn(visit, 'user_custom')).toMatchObject({
      step: {
        kind: 'error',
        error_id: 'connect_error.no_eligible_accounts',
        link_error: 'institution_error',
        actions: ['choose_another', 'exit'],
      },
    });
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      state: 'error',
      error_code: 'institution_error',
    });
  });
});

describe('A user of Credentials Bank who cannot sign in', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'locked',
      {
        error_id: 'connect_error.account_locked',
        fault: 'user',
        actions: ['open_institution', 'choose_another', 'exit'],
        institution_url: 'https://credentials-bank.example',
      },
      'user_error',
    ],
    [
      'no_accounts',
      {
        error_id: 'connect_error.no_accounts',
        fault: 'institution',
        actions: ['choose_another', 'exit'],
      },
      'institution_error',
    ],
    [
      'error_system_error',
      { error_id: 'connect_error.internal', fault: 'service', actions: ['retry', 'exit'] },
      'system_error',
    ],
    [
      'error_provider_error',
      {
        error_id: 'connect_error.provider_down',
        fault: 'provider',
        actions: ['retry', 'choose_another', 'exit'],
      },
      'provider_error',
    ],
    [
      'error_institution_error',
      {
        error_id: 'connect_error.institution_down',
        fault: 'institution',
        actions: ['retry', 'choose_another', 'exit'],
      },
      'institution_error',
    ],
    [
      'error_user_error',
      {
        error_id: 'connect_error.user_action_required',
        fault: 'user',
        actions: ['open_institution', 'choose_another', 'exit'],
      },
      'user_error',
    ],
    [
      'error_incomplete',
      {
        error_id: 'connect_error.incomplete',
        fault: 'user',
        actions: ['open_institution', 'exit'],
      },
      'incomplete',
    ],
  ])('sees an error as %s, and so does the link', async (userName, step, linkError) => {
    const { visit } = await chooseCredentialsBank(app);
    expect(await signIn(visit, userName)).toMatchObject({
      step: { kind: 'error', link_error: linkError, ...step },
    });
    const link = await truth.linkOfSession(visit.view.session_id);
    expect(link).toMatchObject({ state: 'error', error_code: linkError });
    expect(await truth.story(link?.link_id ?? '')).toEqual([
      'state connecting',
      `state error/${linkError}`,
    ]);
  });

  it('has three attempts, and three more after a retry', async () => {
    const { visit } = await chooseCredentialsBank(app);
    for (const left of [2, 1]) {
      expect(await signIn(visit, 'user_good', 'wrong')).toMatchObject({
        step: {
          kind: 'form',
          error: { code: 'invalid_credentials' },
          attempts_left: left,
          can_go_back: true,
        },
      });
    }
    expect(await signIn(visit, 'no_one')).toMatchObject({
      step: {
        kind: 'error',
        error_id: 'connect_error.invalid_credentials',
        actions: ['retry', 'choose_another', 'exit'],
      },
    });
    expect(await visit.answer({ kind: 'error', action: 'retry' })).toMatchObject({
      step: { kind: 'form', error: null, attempts_left: 3 },
    });
    expect(await goThroughCredentialsBank(visit, 'user_good')).toMatchObject({
      step: { kind: 'success' },
    });
  });

  it.each<[string, unknown]>([
    ['mfa_sms', { kind: 'otp', code: '000000' }],
    ['mfa_questions', { kind: 'form', values: { colour: 'red', pet: 'rex' } }],
    ['mfa_image', { kind: 'image', answer: 'ABCD' }],
  ])('as %s has three attempts for the second factor', async (userName, wrong) => {
    const { visit } = await chooseCredentialsBank(app);
    const {
      step: { kind },
    } = await signIn(visit, userName);
    for (const left of [2, 1])
      expect(await visit.answer(wrong)).toMatchObject({
        step: {
          kind,
          error: { code: expect.stringMatching(/^invalid_(code|answer)$/) },
          attempts_left: left,
        },
      });
    expect(await visit.answer(wrong)).toMatchObject({
      step: { kind: 'error', error_id: 'connect_error.mfa_failed' },
    });
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      state: 'error',
      error_code: 'user_error',
    });
  });
});

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

describe('Leaving a session', () => {
  it.each<[string, (visit: ConnectVisit) => Promise<unknown>, string]>([
    ['before the password', () => Promise.resolve(), 'user_error'],
    ['at the code', (visit) => signIn(visit, 'mfa_sms'), 'user_error'],
    ['at the consent', (visit) => signIn(visit, 'user_good'), 'incomplete'],
    [
      'at the accounts',
      async (visit) => {
        await signIn(visit, 'user_good');
        await visit.answer({ kind: 'consent', granted: ['transactions'] });
      },
      'incomplete',
    ],
  ])('%s ends the link with the expected error', async (_, goOn, linkError) => {
    const { visit, session } = await chooseCredentialsBank(app);
    await goOn(visit);
    expect((await visit.exit()).status).toBe(200);
    const link = await truth.linkOfSession(visit.view.session_id);
    expect(link).toMatchObject({ state: 'error', error_code: linkError });
    expect(await truth.story(link?.link_id ?? '')).toEqual([
      'state connecting',
      `state error/${linkError}`,
    ]);
    const again = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect(again.view.step.kind).toBe('select_institution');
    await again.select(CREDENTIALS_BANK);
    expect(await goThroughCredentialsBank(again, 'user_good')).toMatchObject({
      step: { kind: 'success' },
    });
    // The same session and institution lead to the same link.
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      link_id: link?.link_id,
    });
  });

  it('for another bank abandons the first link', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const first = await truth.linkOfSession(visit.view.session_id);
    expect(await visit.answer({ kind: 'back' })).toMatchObject({
      step: { kind: 'select_institution' },
    });
    expect((await visit.select()).step.kind).toBe('success');
    expect(await truth.story(first?.link_id ?? '')).toEqual([
      'state connecting',
      'state error/user_error',
    ]);
  });

  it('continues at the same step on a reload, which does not count as leaving', async () => {
    const { visit, session } = await chooseCredentialsBank(app);
    const otp = await signIn(visit, 'mfa_sms');
    const reloaded = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect(reloaded.view).toEqual(otp);
    const consent = await reloaded.answer({ kind: 'otp', code: '123456' });
    const again = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect(again.view).toEqual(consent);
    expect(await answerQuestions(again)).toMatchObject({ step: { kind: 'success' } });
  });
});

describe('A submitted password', () => {
  it('counts once when it is sent three times with one request id', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const { seq } = visit.view;
    const requestId = randomUUID();
    const wrong = { kind: 'form', values: { username: 'user_good', password: 'wrong' } };
    const responses = await Promise.all(
      [1, 2, 3].map(() => visit.submit(wrong, { requestId, seq })),
    );
    for (const response of responses)
      expect(response).toMatchObject({
        status: 200,
        body: { seq: seq + 1, step: { attempts_left: 2 } },
      });
    expect(await visit.submit(wrong, { requestId, seq })).toMatchObject({
      status: 200,
      body: { seq: seq + 1, step: { attempts_left: 2 } },
    });
  });

  it('is stored, sealed, only until the bank accepts it', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const kinds = async () =>
      (
        await truth.rows<{ kind: string }>(
          'SELECT kind FROM session_secrets WHERE session_id = $1 ORDER BY kind',
          [visit.view.session_id],
        )
      ).map(({ kind }) => kind);
    await signIn(visit, 'mfa_sms');
    expect(await kinds()).toEqual(['answer', 'end_user', 'provider_state']);
    await visit.answer({ kind: 'otp', code: '123456' });
    expect(await kinds()).toEqual(['accepted_login', 'end_user', 'login_grant']);
    await answerQuestions(visit);
    expect(await kinds()).toEqual([]);
  });
});
