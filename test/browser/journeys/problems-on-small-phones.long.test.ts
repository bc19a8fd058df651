import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  problemRowOf,
  remedyOf,
  type ProblemName,
} from '../../../apps/connect/src/flow/problem-table.js';
import { sentencesOf } from '../../../apps/connect/src/flow/problems.js';
import { loadDeferredTexts, loadTexts } from '../../../apps/connect/src/texts/load-texts.js';
import { makeErrorStep, type ConnectProblemId } from '../../../domain/session/connect-problem.js';
import type { ErrorAction } from '../../../packages/connect-protocol/src/step.js';
import { eventually } from '../../support/assertions/eventually.js';
import { PICTURES } from '../connect-app/support/check-screens.js';
import { faultsOfLargeText } from '../connect-app/support/layout-faults.js';
import type { Person } from './support/person.js';
import { slowDown } from './support/slow-network.js';
import { describeJourneys } from './support/stage.js';

/** Twice the usual size, as the setting of the reader. */
const TEXT_SIZE = 32;
const SMALLEST_PHONE = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
const APP = 'Pocket Ledger';

/** The user's actions at a sandbox bank until the problem appears. */
type Mistake = (person: Person) => Promise<void>;

const signingInAs =
  (user: string): Mistake =>
  async (person) => {
    await person.sees('Sign in to your bank');
    await person.signIn(user);
  };

const threeTimes =
  (once: (person: Person) => Promise<void>, refusal: string): Mistake =>
  async (person) => {
    for (const left of ['2 attempts left.', '1 attempt left.']) {
      await once(person);
      await person.reads(`${refusal} ${left}`);
    }
    await once(person);
  };

const at = (decision: 'Approve' | 'Deny', user = 'user_good'): Mistake => {
  return async (person) => {
    await person.sees('You’ll sign in at OAuth Bank');
    const opened = person.page.context().waitForEvent('page');
    await person.press(/^Continue to OAuth Bank/);
    const bank = await opened;
    await bank.getByLabel('User name').fill(user);
    await bank.getByRole('button', { name: decision, exact: true }).click();
  };
};

/** Each problem of each sandbox bank. Instant Bank has none: it asks nothing and refuses no one. */
const PROBLEMS: readonly (readonly [bank: string, what: string, ProblemName, Mistake])[] = [
  ...Object.entries({
    locked: 'account_locked',
    no_accounts: 'no_accounts',
    error_system_error: 'internal',
    error_provider_error: 'provider_down',
    error_institution_error: 'institution_down',
    error_user_error: 'user_action_required',
    error_incomplete: 'incomplete',
  } as const).map(
    ([user, problem]) => ['Credentials Bank', user, problem, signingInAs(user)] as const,
  ),
  [
    'Credentials Bank',
    'three wrong passwords',
    'invalid_credentials',
    threeTimes(async (person) => {
      await person.sees('Sign in to your bank');
      await person.signIn('user_good', 'wrong');
    }, 'Your bank didn’t accept that sign-in.'),
  ],
  [
    'Credentials Bank',
    'three wrong codes',
    'mfa_failed',
    async (person) => {
      await signingInAs('mfa_sms')(person);
      await threeTimes(async () => {
        await person.sees('Enter the code');
        await person.type('000000');
      }, 'That code wasn’t accepted.')(person);
    },
  ],
  ['OAuth Bank', 'a refusal', 'oauth_denied', at('Deny')],
  ...Object.entries({
    no_accounts: 'no_accounts',
    error_system_error: 'internal',
    error_provider_error: 'provider_down',
    error_institution_error: 'institution_down',
    error_user_error: 'user_action_required',
    error_incomplete: 'incomplete',
  } as const).map(([user, problem]) => ['OAuth Bank', user, problem, at('Approve', user)] as const),
];

/** The label of an action, and the screen or window that it leads to. */
const REMEDIES: Record<ErrorAction, { label: (bank: string) => string }> = {
  retry: { label: () => 'Try again' },
  choose_another: { label: () => 'Choose another bank' },
  open_institution: { label: (bank) => `Go to ${bank}` },
  connect_manually: { label: () => 'Continue without a bank' },
  exit: { label: () => `Back to ${APP}` },
};

describeJourneys(
  'A user of a small phone with large text and a slow network',
  (stage) => {
    it.each(PROBLEMS)(
      'is led out of a problem by a screen that is true: %s, %s',
      async (bank, what, problem, makes) => {
        const page = await stage.newPage(SMALLEST_PHONE);
        await slowDown(page);
        const person = await stage.open(await stage.session(), {
          page,
          sdk: { device: 'mobile', applicationName: APP },
        });
        await person.chooseBank(bank);
        await makes(person);

        const texts = await loadTexts(['en']);
        await loadDeferredTexts();
        const { cause, deed } = sentencesOf(problem, '', texts, { app: APP, bank });
        const { actions } = makeErrorStep(`connect_error.${problem}` as ConnectProblemId, {
          mayChooseAnother: true,
          institutionUrl: 'https://bank.example',
        });
        const { remedy, others } = remedyOf(problem, actions);
        await person.sees(cause);
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `journey-${bank}-${what}.png`) });
        expect(await faultsOfLargeText(person.frame)).toEqual([]);
        const shown = async (selector: string): Promise<string[]> =>
          (await person.frame.locator(selector).allInnerTexts()).map((text) =>
            text.replace(/\s*\(opens in a new window\)/, '').trim(),
          );
        expect({
          deed: await shown('.subtitle'),
          remedy: await shown('.primary'),
          others: await shown('.secondary > .text-button'),
          note: await shown('.note'),
        }).toEqual({
          deed: deed === null ? [] : [deed],
          remedy: [REMEDIES[remedy].label(bank)],
          others: others.map((action) => REMEDIES[action].label(bank)),
          note: [problemRowOf(problem).reassures ? 'Nothing has been shared.' : ''],
        });

        const goesOn = async (action: ErrorAction): Promise<void> => {
          const opened = page.context().waitForEvent('page');
          await person.press(new RegExp(`^${REMEDIES[action].label(bank)}`));
          if (action === 'open_institution') {
            await (await opened).close();
            return goesOn('retry');
          }
          opened.catch(() => undefined);
          if (action === 'choose_another') return person.sees('Choose your bank');
          await person.sees(
            bank === 'OAuth Bank' ? `You’ll sign in at ${bank}` : 'Sign in to your bank',
          );
        };
        await goesOn(remedy);
        await eventually(async () => expect(await faultsOfLargeText(person.frame)).toEqual([]));
      },
    );
  },
  { textSize: TEXT_SIZE },
);
