import { expect, it } from '@jest/globals';
import { lookAtScreens, violations } from './support/look-at-screens.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS } from './support/views.js';

lookAtScreens({
  light: { context: { colorScheme: 'light' }, isChecked: true },
  dark: { context: { colorScheme: 'dark' }, isChecked: true },
  forced: { context: { forcedColors: 'active' } },
});

describeInBrowser('the check of screens', (stage) => {
  it('finds what is wrong', async () => {
    const { frame } = await stage.open(new ScriptedSession(CREDENTIALS));
    await frame.locator('label').first().evaluate((label) => label.removeAttribute('for'));
    expect(await violations(frame)).toEqual([expect.stringMatching(/^label: /)]);
  });
});
