import { eventually } from '../../support/assertions/eventually.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { inMinutes, OTP } from './support/views.js';

describeInBrowser('The field for a code', (stage) => {
  it('shows a caret at the place of the next character, wherever it is moved', async () => {
    const { frame, page } = await stage.open(new ScriptedSession(OTP));
    const field = frame.getByRole('textbox', { name: 'Code' });
    await field.focus();
    const caret = (): Promise<number[]> =>
      frame
        .locator('.code-place')
        .evaluateAll((places) =>
          places.flatMap((place, index) =>
            ['::before', '::after'].some(
              (side) => getComputedStyle(place, side).borderInlineStartWidth === '2px',
            )
              ? [index]
              : [],
          ),
        );
    const stands = (at: number): Promise<void> =>
      eventually(async () => expect(await caret()).toEqual([at]));
    await stands(0);
    await page.keyboard.type('123');
    await stands(3);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await stands(1);
    await page.keyboard.press('End');
    await page.keyboard.type('456');
    await stands(5);
    expect(await field.inputValue()).toBe('123456');
    await frame.getByRole('button', { name: 'Continue' }).focus();
    await eventually(async () => expect(await caret()).toEqual([]));
  });

  it('never promises more time than there is, though the clock of the service has whole seconds', async () => {
    const session = new ScriptedSession(OTP, { base: { expires_at: inMinutes(10) } });
    const { frame } = await stage.open(session);
    const timer = frame.getByRole('timer');
    await timer.waitFor();
    expect(await timer.innerText()).toMatch(/^Valid for (10:00|9:\d\d)$/);
  });

  // cspell:ignore Gültig Minuten Sekunden
  it.each([
    ['en-US', /^Valid for \d:\d\d$/, /^Valid for \d minutes?, \d+ seconds?$/],
    ['de-DE', /^Gültig für \d:\d\d$/, /^Gültig für \d Minuten?, \d+ Sekunden?$/],
    ['ar-EG', /[٠-٩]:[٠-٩]{2}/, /[٠-٩].*دقائق.*ثا?ن/],
  ])(
    'counts down in the digits of the reader, and in words for a screen reader: %s',
    async (locale, seen, heard) => {
      const session = new ScriptedSession(OTP, { base: { expires_at: inMinutes(5) } });
      const { frame } = await stage.open(session, { options: { locale } });
      const timer = frame.getByRole('timer');
      await timer.waitFor();
      expect(await timer.innerText()).toMatch(seen);
      expect(await timer.getAttribute('aria-label')).toMatch(heard);
      const described = await frame.getByRole('textbox').getAttribute('aria-describedby');
      expect(described).toContain(await timer.locator('..').getAttribute('id'));
    },
  );
});
