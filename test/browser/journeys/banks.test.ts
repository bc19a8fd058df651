import {
  atTheBanks,
  CREDENTIALS_BANK,
  INSTANT_BANK,
  newLink,
  OAUTH_BANK,
  THREE,
  TWO,
} from './support/at-the-banks.js';
import { describeJourneys } from './support/stage.js';

// Covers each kind of result once; banks.long.test.ts covers every user. axe checks every screen
// that the user sees (Person.sees).
describeJourneys('Journeys at the sandbox banks (connect 13, checks 1 and 2)', (stage) => {
  const { exchange, atOAuthBank, passesFactors, isTurnedAway, repairs } = atTheBanks(stage);

  it('link Instant Bank without any question', async () => {
    const person = await stage.open(await stage.session());
    await person.chooseBank('Instant Bank');
    expect(await person.ending()).toEqual(newLink(INSTANT_BANK, 'Instant Bank', TWO));
    expect((await person.screens())[0]).toBe('finder');
    expect((await stage.app.link(await exchange(person))).institution_id).toBe(INSTANT_BANK);
  });

  it('link Credentials Bank with a password, consent and accounts, and make every callback of the contract', async () => {
    const person = await stage.open(await stage.session(), { sdk: { closeOnSuccess: false } });
    await person.chooseBank('Credentials Bank');
    await person.sees('Sign in to your bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await person.sees('Connected');
    expect(await person.ending()).toEqual(newLink(CREDENTIALS_BANK, 'Credentials Bank', THREE));
    expect((await person.screens()).slice(0, 3)).toEqual(['finder', 'credentials', 'permissions']);
    const callbacksbacks = await person.callbacks();
    const [opened] = await person.callbacks('event');
    expect(opened?.payload).toEqual({
      name: 'open',
      properties: {},
      meta: {
        link_type: 'link',
        timestamp: expect.any(String),
        link_session_id: expect.stringMatching(/^ses_/),
      },
    });
    expect(callbacksbacks.at(-1)?.name).toBe('success');
    expect(callbacksbacks.at(-2)?.payload).toEqual({
      name: 'success',
      properties: {},
      meta: {
        link_type: 'link',
        timestamp: expect.any(String),
        link_session_id:
          opened === undefined
            ? ''
            : (opened.payload['meta'] as Record<string, unknown>)['link_session_id'],
        institution_id: CREDENTIALS_BANK,
        institution_name: 'Credentials Bank',
      },
    });
    expect(JSON.stringify(await person.callbacks('event'))).not.toMatch(
      /user_good|pass_good|1101|Everyday|_xt_|_ls_/,
    );
    await person.press('Done');
    await person.page.locator('iframe').waitFor({ state: 'detached' });
    await exchange(person);
  });

  it('link Credentials Bank as mfa_push', () => passesFactors('mfa_push'));

  it('end with an error at Credentials Bank as locked', () => isTurnedAway('locked'));

  it('link OAuth Bank in a popup when the user approves (connect 13, check 4)', async () => {
    const person = await stage.open(await stage.session());
    await person.chooseBank('OAuth Bank');
    await atOAuthBank(person, 'Approve');
    await person.allowAndShare();
    expect(await person.ending()).toEqual(newLink(OAUTH_BANK, 'OAuth Bank', THREE));
    await exchange(person);
  });

  it('end with an error at OAuth Bank when the user denies (connect 13, check 4)', async () => {
    const person = await stage.open(await stage.session({ institution_id: OAUTH_BANK }));
    await atOAuthBank(person, 'Deny');
    await person.sees('Access was declined');
    await person.press('Leave');
    expect(await person.ending()).toMatchObject({
      name: 'exit',
      payload: {
        reason: 'error',
        error: { error_id: 'connect_error.oauth_denied', fault: 'user', link_error: 'user_error' },
      },
    });
  });

  it('open at the bank of a broken link and repair it without a token (connect 13, checks 2 and 3)', () =>
    repairs(CREDENTIALS_BANK));

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
    await person.frame.getByRole('option', { name: 'Instant Bank' }).waitFor({ state: 'detached' });
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
});
