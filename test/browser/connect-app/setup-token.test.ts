import { arDeferred } from '../../../apps/connect/src/texts/deferred/ar.js';
import { deDeferred } from '../../../apps/connect/src/texts/deferred/de.js';
import { enDeferred } from '../../../apps/connect/src/texts/deferred/en.js';
import { esDeferred } from '../../../apps/connect/src/texts/deferred/es.js';
import { frDeferred } from '../../../apps/connect/src/texts/deferred/fr.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { SETUP_TOKEN, WAIT } from './support/views.js';
import { representatives } from '../../support/runner/representatives.js';

const TEXTS = { en: enDeferred, es: esDeferred, fr: frDeferred, de: deDeferred, ar: arDeferred };
const PROBLEMS = {
  en: 'setup_token_refused',
  es: 'setup_token_unreadable',
  fr: 'setup_token_not_allowed',
  de: 'setup_token_used_here',
  ar: 'setup_token_not_allowed',
} as const;

describeInBrowser('The form for a setup token', (stage) => {
  const locales = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
  // One from left to right and one from right to left.
  it.each(representatives(locales, (locale) => ['en', 'ar'].includes(locale)))(
    'has its texts, including those of its errors, in %s',
    async (locale) => {
      const [texts, problem] = [TEXTS[locale], PROBLEMS[locale]];
      const error = { code: problem, text: 'Said by the service.' };
      const session = new ScriptedSession(SETUP_TOKEN, { base: { error } });
      const { frame } = await stage.open(session, { options: { locale } });
      await frame.getByRole('heading', { name: texts.setup_token_title }).waitFor();
      const link = frame.getByRole('link', { name: texts.setup_token_create });
      expect(await link.getAttribute('href')).toBe('https://bridge.simplefin.org/simplefin/create');
      const field = frame.getByLabel(texts.setup_token_label, { exact: true });
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await eventually(async () =>
        expect(await field.evaluate((input) => input === document.activeElement)).toBe(true),
      );
      const described = (await field.getAttribute('aria-describedby')) ?? '';
      expect(await frame.locator(`#${described}`).innerText()).toBe(texts[problem]);
      expect(await frame.locator('body').innerText()).not.toContain('Said by the service.');
    },
  );

  it('has room for the whole token, drops the line breaks of copying, and is sent by Enter', async () => {
    const session = new ScriptedSession(SETUP_TOKEN);
    session.then(() => WAIT);
    const { frame, page } = await stage.open(session);
    const field = frame.getByLabel('Setup token', { exact: true });
    expect(await field.evaluate((area) => area.tagName)).toBe('TEXTAREA');
    await field.focus();
    await page.keyboard.insertText('demo-\ntoken  \n');
    expect(await field.inputValue()).toBe('demo-token');
    await page.keyboard.press('Enter');
    await eventually(() =>
      expect(session.callsTo('POST /session/step')[0]?.body['input']).toEqual({
        kind: 'form',
        values: { setup_token: 'demo-token' },
      }),
    );
  });
});
