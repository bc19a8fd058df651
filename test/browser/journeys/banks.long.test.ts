import { randomUUID } from 'node:crypto';
import { operate } from '../../support/actors/operator.js';
import {
  atTheBanks,
  CREDENTIALS_BANK,
  INSTANT_BANK,
  newLink,
  OAUTH_BANK,
  TWO,
} from './support/at-the-banks.js';
import { describeJourneys } from './support/stage.js';

describeJourneys(
  'Journeys of every user at the sandbox banks (connect 13, checks 1 and 2)',
  (stage) => {
    const { exchange, atCredentialsBank, atOAuthBank, passesFactors, isTurnedAway, repairs } =
      atTheBanks(stage);

    it('link Instant Bank without any question', async () => {
      const person = await stage.open(await stage.session());
      await person.chooseBank('Instant Bank');
      expect(await person.ending()).toEqual(newLink(INSTANT_BANK, 'Instant Bank', TWO));
      expect((await person.screens())[0]).toBe('finder');
      expect((await stage.app.link(await exchange(person))).institution_id).toBe(INSTANT_BANK);
    });

    it('end with an error at OAuth Bank when the user denies (connect 13, check 4)', async () => {
      const person = await stage.open(await stage.session({ institution_id: OAUTH_BANK }));
      await atOAuthBank(person, 'Deny');
      await person.sees('Access was declined at OAuth Bank');
      await person.press('Close');
      expect(await person.ending()).toMatchObject({
        name: 'exit',
        payload: {
          reason: 'error',
          error: {
            error_id: 'connect_error.oauth_denied',
            fault: 'user',
            link_error: 'user_error',
          },
        },
      });
    });

    it('link with the keyboard alone', async () => {
      const person = await stage.open(await stage.session());
      const { keyboard } = person.page;
      const focused = (): Promise<string> =>
        person.frame.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ??
            document.activeElement?.textContent ??
            '',
        );
      const tabTo = async (name: RegExp): Promise<void> => {
        for (let presses = 0; presses < 20; presses += 1) {
          await keyboard.press('Tab');
          if (name.test(await focused())) return;
        }
        throw new Error(`The keyboard does not reach ${String(name)}.`);
      };
      await person.sees('Choose your bank');
      await keyboard.type('cred');
      await person.frame
        .getByRole('option', { name: 'Credentials Bank' })
        .locator('b', { hasText: /^Cred$/ })
        .waitFor();
      await person.frame
        .getByRole('option', { name: 'Instant Bank' })
        .waitFor({ state: 'detached' });
      await keyboard.press('Enter');
      await person.sees('Sign in to your bank');
      await person.frame.waitForFunction(() => document.activeElement?.tagName === 'H1');
      const nameField = await person.frame.getByLabel('User name').elementHandle();
      for (
        let presses = 0;
        presses < 10 && !(await nameField?.evaluate((field) => field === document.activeElement));
        presses += 1
      )
        await keyboard.press('Tab');
      await keyboard.type('mfa_sms');
      await keyboard.press('Tab');
      await keyboard.type('pass_good');
      await keyboard.press('Enter');
      await person.sees('Enter the code');
      const codeField = await person.frame.getByRole('textbox').elementHandle();
      for (
        let presses = 0;
        presses < 10 && !(await codeField?.evaluate((field) => field === document.activeElement));
        presses += 1
      )
        await keyboard.press('Tab');
      await keyboard.type('123456');
      await keyboard.press('Enter');
      await person.sees(/^What .+ will see$/);
      await tabTo(/^Allow$/);
      await keyboard.press('Enter');
      await person.sees('Choose accounts to share');
      await tabTo(/^Share/);
      await keyboard.press('Enter');
      expect((await person.ending()).name).toBe('success');
    });

    describe('at Credentials Bank', () => {
      it.each(['mfa_push', 'mfa_sms', 'mfa_email', 'mfa_choice', 'mfa_questions', 'mfa_image'])(
        'link as %s',
        passesFactors,
      );

      it.each([
        'locked',
        'no_accounts',
        'error_incomplete',
        'error_user_error',
        'error_system_error',
        'error_provider_error',
        'error_institution_error',
      ])('end with an error as %s', isTurnedAway);

      it('show an error after three wrong passwords, and allow a retry', async () => {
        const person = await stage.open(await stage.session({ institution_id: CREDENTIALS_BANK }));
        await person.sees('Sign in to your bank');
        await person.signIn('user_good', 'wrong-1');
        await person.reads('Your bank didn’t accept that sign-in. 2 attempts left.');
        await person.signIn('user_good', 'wrong-2');
        await person.reads('Your bank didn’t accept that sign-in. 1 attempt left.');
        await person.signIn('user_good', 'wrong-3');
        await person.sees(/didn’t accept what you entered$/);
        expect((await person.callbacks('error')).map(({ payload }) => payload['error_id'])).toEqual(
          Array(3).fill('connect_error.invalid_credentials'),
        );
        await person.press('Try again');
        await person.sees('Sign in to your bank');
        await person.signIn('user_good');
        await person.allowAndShare();
        expect((await person.ending()).name).toBe('success');
      });
    });

    describe('of a broken link (connect 13, checks 2 and 3)', () => {
      it.each([INSTANT_BANK, OAUTH_BANK])(
        'open at %s and repair the link without a token',
        repairs,
      );

      it('ask for consent to added products', async () => {
        const first = await atCredentialsBank('user_good', {
          settings: undefined,
          products_settings: {},
        });
        await first.allowAndShare();
        const linkId = await exchange(first);
        const again = await stage.open(await stage.session({ existing_link_id: linkId }));
        await again.sees('Sign in to your bank');
        await again.signIn('user_good');
        await again.sees(/^What .+ will see$/);
        await again.reads('Already allowed');
        await again.press('Allow');
        expect((await again.ending()).payload).toMatchObject({ mode: 'relink' });
        expect(Object.keys((await stage.app.link(linkId)).products)).toContain('transactions');
      });
    });

    it('ask a user who already has a link there before the login, and renew that link', async () => {
      const customer_user = { id: randomUUID() };
      const first = await atCredentialsBank('user_good', { customer_user });
      await first.allowAndShare();
      const linkId = await exchange(first);
      await operate(
        stage.service.dataDir,
        'apps',
        'update',
        stage.service.app.app_id,
        '--feature',
        'duplicate_institution_warning',
      );
      const again = await stage.open(
        await stage.session({
          customer_user,
          connect_features: { duplicate_institution_warning: true },
        }),
      );
      await again.chooseBank('Credentials Bank');
      await again.sees('You are already connected');
      await again.press('Continue');
      await again.reads('Choose 1.');
      await again.frame.getByRole('radio', { name: /^Add a separate connection/ }).check();
      await again.frame.getByRole('radio', { name: /^Renew this connection/ }).check();
      await again.press('Continue');
      await again.sees('Sign in to your bank');
      await again.signIn('user_good');
      const { name, payload } = await again.ending();
      expect({ name, keys: Object.keys(payload).sort() }).toEqual({
        name: 'success',
        keys: ['accounts', 'existing_link_id', 'institution', 'mode', 'session_id'],
      });
      expect(payload).toMatchObject({ mode: 'relink', existing_link_id: linkId });
      expect((await again.screens()).slice(0, 3)).toEqual(['finder', 'options', 'credentials']);
    });
  },
);

// The bank needs a minute, and a step five seconds until it replies with `wait`.
describeJourneys(
  'A journey of a user at a slow bank',
  (stage) => {
    it('shows that the sign-in is in progress, and links', () =>
      atTheBanks(stage).passesFactors('slow_60'));
  },
  { settings: { SANDBOX_BANK_DELAY_FACTOR: '1', CONNECT_SOFT_REPLY: '5s' } },
);
