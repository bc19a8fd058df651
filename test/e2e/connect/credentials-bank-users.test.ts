import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  CREDENTIALS_BANK,
  linkCredentialsBank,
  passFactors,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import { operate } from '../../support/actors/operator.js';
import { service, app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { representatives } from '../../support/runner/representatives.js';

/** The users of Credentials Bank whose login ends in an error, with the step and the error of the link. */
const USERS_WITH_PROBLEMS: readonly [string, Record<string, unknown>, string][] = [
  [
    'locked',
    {
      error_id: 'connect_error.account_locked',
      fault: 'user',
      actions: ['open_institution', 'retry', 'choose_another', 'exit'],
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
      actions: ['open_institution', 'retry', 'choose_another', 'exit'],
    },
    'user_error',
  ],
  [
    'error_incomplete',
    {
      error_id: 'connect_error.incomplete',
      fault: 'user',
      actions: ['open_institution', 'retry', 'exit'],
    },
    'incomplete',
  ],
];

const PREFETCHED = [
  'state connected',
  'accounts completed',
  'transactions completed',
  'transactions.updates_available has_history=false',
];

serviceOfFile();
beforeAll(async () => {
  const feature = ['--feature', 'permit_only_depository_accounts'];
  await operate(service.dataDir, 'apps', 'update', service.app.app_id, ...feature);
});

const names = (accounts: readonly { name: string }[]) => accounts.map(({ name }) => name);
const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];

describe('A user of Credentials Bank who can sign in (link-lifecycle 15, check 1)', () => {
  it.each<[string, string[]]>(
    representatives(
      [
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
      ],
      ([userName]) => ['user_good', 'mfa_choice', 'mfa_push'].includes(userName),
    ),
  )('links as %s after the steps %j, consent and accounts', async (userName, factors) => {
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
    const [connected, accountsStored, ...rest] = PREFETCHED;
    expect(await truth.story(linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      connected,
      accountsStored,
      // Its permission lasts a day.
      ...(userName === 'auth_expires' ? ['link.permission_expiring'] : []),
      ...rest,
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
  it.each<[string, Record<string, unknown>, string]>(
    representatives(USERS_WITH_PROBLEMS, ([userName]) =>
      ['locked', 'error_institution_error'].includes(userName),
    ),
  )('sees an error as %s, and so does the link', async (userName, step, linkError) => {
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
});

describe('Leaving a session', () => {
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
