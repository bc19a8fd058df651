import { expect, it } from 'vitest';
import type { Frame } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { ok, ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { arrive, STORIES } from './support/stories.js';
import { ACCOUNTS, CREDENTIALS, OTP, WAIT } from './support/views.js';

/** What a screen reader is given, as an outline of roles, names and states. */
describeInBrowser('what a screen reader gets', (stage) => {
  const outline = async (name: string): Promise<string> => {
    const story = STORIES[name];
    if (story === undefined) throw new Error(`There is no story ${name}.`);
    const { frame } = await stage.open(story.session());
    await arrive(frame, story);
    return frame.getByRole(name === 'leave' ? 'alertdialog' : 'dialog').ariaSnapshot();
  };
  const spoken = (frame: Frame, region: 'status' | 'alert'): Promise<string | null> => frame.getByRole(region).textContent();

  it.each<[string, string[]]>([
    ['finder', ['- dialog "Choose your bank"', '- button "Close"', '- main:', '- heading "Choose your bank" [level=1]', '- combobox "Search by name or website" [expanded]', '- listbox "Choose your bank"', '- group "Often chosen"', '- option "Credentials Bank"', '- option "First Prairie Credit Union Slow today"', '- button "My bank is missing"']],
    ['credentials', ['- dialog "Sign in to your bank"', '- button "Back"', '- paragraph: Credentials Bank', '- textbox "User name"', '- button "Show Password"', '- textbox "Password"', '- link "Forgot your password? (opens in a new window)"', '- button "Continue"']],
    ['questions', ['- heading "Answer 2 questions" [level=1]', '- blockquote: Please answer as you did when you opened your account.', '- textbox "What is your favourite colour?"', '- link "Help with signing in (opens in a new window)"']],
    ['options', ['- group "Where should the code go?"', '- radio "Text message to ••• ••42"', '- radio "Email to u•••@example.com"']],
    ['code', ['- textbox "Code": "123"', '- timer: /Valid for \\d+:\\d+/', '- button /New code in/']],
    ['picture', ['- img "Picture from Credentials Bank"', '- textbox "Characters in the picture"', '- button "Describe the picture"']],
    ['bank_redirect', ['- heading "You will sign in at OAuth Bank" [level=1]', '- listitem: OAuth Bank opens in a new window.', '- button "Continue to OAuth Bank"']],
    ['bank_redirect-waiting', ['- heading "Finish in the bank’s window" [level=1]', '- button "Cancel"', '- button "Open it again"']],
    ['progress', ['- heading "Waiting for your approval in the bank’s app" [level=1]', '- button "Cancel"']],
    ['permissions', ['- heading "What Pocket Ledger will see" [level=1]', '- switch "Personal details" [checked]', '- text: "Personal details name, address, email and phone number at the bank Why: confirm your name"', '- button "Allow"']],
    ['accounts', ['- checkbox "Select all"', '- checkbox "Everyday Checking Checking ending in 1101 $2,210.52" [checked]', '- checkbox "Rewards Card Credit card ending in 3303 $412.37"', '- button "Share 2 accounts"']],
    ['done', ['- heading "Connected" [level=1]', '- listitem: Everyday Checking Checking ending in 1101', '- button "Done"']],
    ['problem', ['- heading "Credentials Bank does not answer" [level=1]', '- button "Choose another bank"', '- button "Try again"', '- paragraph: The problem is at Credentials Bank.']],
    ['leave', ['- alertdialog "Stop connecting?"', '- button "Stop connecting"', '- button "Keep going"']],
  ])('%s', async (name, expected) => {
    const found = await outline(name);
    const lines = found.split('\n').map((line) => line.trim());
    for (const line of expected) {
      const isThere = line.includes('/')
        ? lines.some((each) => new RegExp(line.slice(line.indexOf('/') + 1, line.lastIndexOf('/'))).test(each))
        : lines.some((each) => each === line || each === `${line}:` || each.startsWith(`${line} `) || each.startsWith(`${line}:`));
      if (!isThere) throw new Error(`There is no ${line} in\n${found}`);
    }
  });

  it('hears what changes: results, waiting, errors, time', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.then(() => WAIT);
    const { page, frame } = await stage.open(session);
    await frame.getByRole('combobox').fill('savings');
    await eventually(async () => expect(await spoken(frame, 'status')).toBe('1 bank found'));
    await frame.getByRole('combobox').fill('qwe');
    await eventually(async () => expect(await spoken(frame, 'status')).toBe('No bank called qwe here.'));
    await frame.getByRole('combobox').fill('');
    await frame.getByRole('option', { name: 'Credentials Bank' }).click();
    await frame.getByRole('heading', { name: 'Signing in' }).waitFor();
    await eventually(async () => expect(await spoken(frame, 'status')).toBe('Waiting for Credentials Bank.'));
    session.show(OTP, { error: { code: 'invalid_code', text: 'Wrong.' }, attempts_left: 1 });
    await eventually(async () => expect(await spoken(frame, 'alert')).toBe('That code was not accepted. 1 try left.'));
    session.on('POST /session/step', () => ok(session.show({ kind: 'error', error_id: 'connect_error.mfa_failed', displayed_message: '', fault: 'user', link_error: 'user_error', actions: ['retry', 'exit'], institution_url: null })));
    await frame.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await spoken(frame, 'alert')).toBe('The extra check did not work. Credentials Bank did not accept the code or answer.'));
  });

  it('moves to the heading of each new screen', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { frame } = await stage.open(session);
    const headingHasFocus = (name: string): Promise<void> => eventually(async () => expect(await frame.getByRole('heading', { name }).evaluate((element) => document.activeElement === element)).toBe(true));
    await headingHasFocus('Sign in to your bank');
    session.then(() => ACCOUNTS);
    await frame.getByLabel('User name').fill('u');
    await frame.getByLabel('Password', { exact: true }).fill('p');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await headingHasFocus('Choose accounts to share');
  });

  it('gets the language and the direction', async () => {
    for (const [locale, language, direction] of [['de-AT', 'de', 'ltr'], ['ar', 'ar', 'rtl'], ['es-MX', 'es', 'ltr'], ['fr', 'fr', 'ltr'], ['tlh', 'en', 'ltr']] as const) {
      const { frame } = await stage.open(new ScriptedSession(CREDENTIALS), { options: { locale } });
      await frame.getByRole('heading', { level: 1 }).waitFor();
      expect(await frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([language, direction]);
    }
  });

  it('nothing moves where motion is not wanted', async () => {
    const { frame } = await stage.open(new ScriptedSession(WAIT), { context: { reducedMotion: 'reduce' } });
    await frame.getByRole('heading', { name: 'Signing in' }).waitFor();
    expect(await frame.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});
