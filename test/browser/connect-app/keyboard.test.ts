import type { Frame } from 'playwright-core';
import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ok, ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, OTP } from './support/views.js';

describeInBrowser('Connect with only the keyboard (connect 13, check 1)', (stage) => {
  const focused = (frame: Frame): Promise<string> =>
    frame.evaluate(() => {
      const element = document.activeElement;
      return `${element?.tagName.toLowerCase() ?? ''} ${element?.getAttribute('aria-label') ?? element?.getAttribute('name') ?? element?.textContent ?? ''}`.trim();
    });
  const focusOn = (frame: Frame, expected: string): Promise<void> =>
    eventually(async () => expect(await focused(frame)).toBe(expected));

  it('links an account from search to success', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    const steps: Record<string, StepContent> = {
      select_institution: CREDENTIALS,
      form: {
        kind: 'choice',
        purpose: 'otp_device',
        max: 1,
        options: [
          { id: 's', label: 'Text message', icon: 'sms' },
          { id: 'e', label: 'Email', icon: 'email' },
        ],
      },
      choice: OTP,
      otp: CONSENT,
      consent: ACCOUNTS,
      select_accounts: { kind: 'success' },
    };
    session.then((input) => steps[String(input['kind'])] ?? { kind: 'success' });
    const { page, frame, heard } = await stage.open(session);
    const { keyboard } = page;
    await focusOn(frame, 'input Search by name or website');
    await keyboard.type('credentials');
    // Wait for the result of the whole word: Enter selects nothing while the search is running.
    await frame
      .getByRole('option')
      .filter({ hasText: 'Credentials Bank' })
      .locator('b', { hasText: /^Credentials$/ })
      .waitFor();
    await keyboard.press('Enter');

    await focusOn(frame, 'h1 Sign in to your bank');
    for (const name of ['username', 'password']) {
      await keyboard.press('Tab');
      await focusOn(frame, `input ${name}`);
      if (name === 'username') await keyboard.type('mfa_choice');
    }
    await keyboard.press('Tab');
    await focusOn(frame, 'button Show Password');
    await keyboard.press('Shift+Tab');
    await keyboard.type('pass_good');
    await keyboard.press('Enter');

    await focusOn(frame, 'h1 Where should the code be sent?');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');

    await focusOn(frame, 'h1 Enter the code');
    await keyboard.press('Tab');
    await keyboard.type('123456');
    await keyboard.press('Enter');

    await focusOn(frame, 'h1 What Pocket Ledger will see');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await focusOn(frame, 'button Allow');
    await keyboard.press('Enter');

    await focusOn(frame, 'h1 Choose accounts to share');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Enter');

    await focusOn(frame, 'h1 Connected');
    await keyboard.press('Tab');
    await focusOn(frame, 'button Done');
    await keyboard.press('Enter');
    await eventually(async () => expect(await heard('close')).toHaveLength(1));
    expect(session.callsTo('POST /session/step').map(({ body }) => body['input'])).toEqual([
      { kind: 'select_institution', institution_id: 'sandbox-credentials-bank' },
      { kind: 'form', values: { username: 'mfa_choice', password: 'pass_good' } },
      { kind: 'choice', option_ids: ['e'] },
      { kind: 'otp', code: '123456' },
      { kind: 'consent', granted: ['accounts', 'transactions'] },
      { kind: 'select_accounts', refs: ['a', 'b', 'c'] },
    ]);
  });

  it('keeps Tab and Shift+Tab inside the dialog', async () => {
    const { page, frame } = await stage.open(new ScriptedSession(CREDENTIALS));
    await focusOn(frame, 'h1 Sign in to your bank');
    const round: string[] = [];
    do {
      await page.keyboard.press('Tab');
      round.push(await focused(frame));
    } while (round.filter((name) => name === round[0]).length < 2 && round.length < 20);
    expect(new Set(round)).toEqual(
      new Set([
        'input username',
        'button Show Password',
        'input password',
        expect.stringMatching(/^a Forgot your password/),
        'button Continue',
        'button Close',
        expect.stringMatching(/^button Test users/),
      ]),
    );
    await frame.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Shift+Tab');
    await focusOn(frame, 'button Continue');
    await page.keyboard.press('Tab');
    await focusOn(frame, 'button Close');
  });

  it('follows Tab and Escape from anywhere, even where nothing has the focus', async () => {
    const { page, frame } = await stage.open(new ScriptedSession(CREDENTIALS));
    await focusOn(frame, 'h1 Sign in to your bank');
    const blur = () =>
      frame.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        return document.activeElement?.tagName;
      });
    expect(await blur()).toBe('BODY');
    await page.keyboard.press('Shift+Tab');
    await focusOn(frame, 'button Continue');
    expect(await blur()).toBe('BODY');
    await page.keyboard.press('Escape');
    await focusOn(frame, 'h2 Stop connecting?');
    expect(await blur()).toBe('BODY');
    await page.keyboard.press('Escape');
    await frame.getByRole('dialog', { name: 'Sign in to your bank' }).waitFor();
    await focusOn(frame, 'button Continue');
  });

  it('keeps Tab inside the leave confirmation while it is open', async () => {
    const { page, frame } = await stage.open(new ScriptedSession(CREDENTIALS));
    await focusOn(frame, 'h1 Sign in to your bank');
    await page.keyboard.press('Escape');
    await focusOn(frame, 'h2 Stop connecting?');
    const stops: string[] = [];
    for (let press = 0; press < 4; press += 1) {
      await page.keyboard.press('Tab');
      stops.push(await focused(frame));
    }
    expect(stops).toEqual([
      'button Stop connecting',
      'button Keep going',
      'button Stop connecting',
      'button Keep going',
    ]);
    await page.keyboard.press('Enter');
    await focusOn(frame, 'h1 Sign in to your bank');
  });

  it('moves through the banks with the arrow keys, selects with Enter and searches from anywhere', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.on('POST /session/step', () => ok(session.show(CREDENTIALS)));
    const { page, frame } = await stage.open(session);
    const field = frame.getByRole('combobox');
    await frame.getByRole('option').first().waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
      await page.keyboard.press(key);
    expect(await field.getAttribute('aria-activedescendant')).toBe(
      'institution-sandbox-oauth-bank',
    );
    expect(await frame.getByRole('option', { selected: true }).textContent()).toContain(
      'OAuth Bank',
    );
    await frame.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.type('inst');
    expect(await field.inputValue()).toBe('inst');
    // Wait for the result of these letters, not of the previous ones.
    await frame
      .getByRole('option')
      .first()
      .filter({ hasText: 'Instant Bank' })
      .locator('b')
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() =>
      expect(session.callsTo('POST /session/step').map(({ body }) => body['input'])).toEqual([
        { kind: 'select_institution', institution_id: 'sandbox-instant-bank' },
      ]),
    );
  });
});
