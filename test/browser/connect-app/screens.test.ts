import { checkScreens, violations } from './support/check-screens.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS } from './support/views.js';

// The narrowest window (1280 × 1024 at 400 %), in which every other one fits. The long runs render each
// screen again in wide windows, in dark and forced colors, in Arabic and on a phone.
checkScreens({
  zoom: {
    context: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 2, colorScheme: 'light' },
    isChecked: true,
    isOutlined: true,
    isWalked: true,
  },
});

describeInBrowser('The screen checks', (stage) => {
  it('report an accessibility violation', async () => {
    const { frame } = await stage.open(new ScriptedSession(CREDENTIALS));
    await frame
      .locator('label')
      .first()
      .evaluate((label) => label.removeAttribute('for'));
    expect(await violations(frame)).toEqual([expect.stringMatching(/^label: /)]);
  });

  it.each(['en', 'ar'])(
    'report no overlap of the password label and its button in %s',
    async (locale) => {
      const { frame } = await stage.open(new ScriptedSession(CREDENTIALS), { options: { locale } });
      const [label, button] = await Promise.all([
        frame.locator('.field-hides .field-label').boundingBox(),
        frame.locator('.show-button').boundingBox(),
      ]);
      if (label === null || button === null)
        throw new Error('The password has no label or no button.');
      expect(label.x + label.width <= button.x || button.x + button.width <= label.x).toBe(true);
      // Both start and end at the edges of the field.
      expect(locale === 'ar' ? button.x < label.x : label.x < button.x).toBe(true);
    },
  );
});
