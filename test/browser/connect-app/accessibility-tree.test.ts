import type { Frame } from 'playwright-core';
import { ar } from '../../../apps/connect/src/texts/ar.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ok, ScriptedSession } from './support/scripted-session.js';
import { OUTLINES } from './support/outlines.js';
import { describeInBrowser } from './support/stage.js';
import { STORIES } from './support/stories.js';
import { CREDENTIALS, OTP, WAIT } from './support/views.js';

/**
 * The outlines of the screens are checked together with their sizes, in screens.test.ts, and the
 * focus on their headings in keyboard.test.ts.
 */
describeInBrowser('Connect with a screen reader', (stage) => {
  const spoken = (frame: Frame, region: 'status' | 'alert'): Promise<string | null> =>
    frame.getByRole(region).textContent();

  it('is checked against an outline only for screens that exist', () => {
    expect(Object.keys(STORIES)).toEqual(expect.arrayContaining(Object.keys(OUTLINES)));
  });

  it('announces search results, waiting and errors', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.then(() => WAIT);
    const { page, frame } = await stage.open(session);
    await frame.getByRole('combobox').fill('savings');
    await eventually(async () => expect(await spoken(frame, 'status')).toBe('1 bank found'));
    await frame.getByRole('combobox').fill('qwe');
    await eventually(async () =>
      expect(await spoken(frame, 'status')).toBe('No bank found for qwe.'),
    );
    await frame.getByRole('combobox').fill('');
    await frame.getByRole('option', { name: 'Credentials Bank' }).click();
    await frame.getByRole('heading', { name: 'Connecting to Credentials Bank' }).waitFor();
    await eventually(async () =>
      expect(await spoken(frame, 'status')).toBe('Waiting for Credentials Bank to respond.'),
    );
    session.show(OTP, { error: { code: 'invalid_code', text: 'Wrong.' }, attempts_left: 1 });
    await eventually(async () =>
      expect(await spoken(frame, 'alert')).toBe('That code wasn’t accepted. 1 attempt left.'),
    );
    session.on('POST /session/step', () =>
      ok(
        session.show({
          kind: 'error',
          error_id: 'connect_error.mfa_failed',
          displayed_message: '',
          fault: 'user',
          link_error: 'user_error',
          actions: ['retry', 'exit'],
          institution_url: null,
        }),
      ),
    );
    await frame.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await eventually(async () =>
      expect(await spoken(frame, 'alert')).toBe(
        'Credentials Bank didn’t accept the code or answer',
      ),
    );
  });

  // texts.test.ts proves the choice among languages.
  it.each<[string, Record<string, unknown>, string]>([
    ['the request of the back end', {}, 'ar'],
    ['the request of the page, which takes precedence over its back end', { locale: 'ar' }, 'de'],
  ])('sets the language and the text direction by %s', async (_, options, locale) => {
    const session = new ScriptedSession(CREDENTIALS, { locale });
    const { frame } = await stage.open(session, { options });
    await frame.getByRole('heading', { name: ar.login_title }).waitFor();
    expect(
      await frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir]),
    ).toEqual(['ar', 'rtl']);
  });
});
