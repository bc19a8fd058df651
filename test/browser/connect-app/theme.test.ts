import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS } from './support/views.js';

describeInBrowser('The theme of an app', (stage) => {
  const color = 'rgb(1, 102, 3)';

  it("applies the SDK's theme over that of the session", async () => {
    const session = new ScriptedSession(CREDENTIALS, {
      theme: {
        colors: { accent: '#ff0000', background: { light: '#fefefe', dark: '#010101' } },
        shape: { radius_dialog: '4px' },
      },
    });
    const { frame } = await stage.open(session, {
      options: { theme: { colors: { accent: color } } },
    });
    const button = frame.getByRole('button', { name: 'Continue' });
    await button.waitFor();
    expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      color,
    );
    expect(
      await frame
        .locator('.dialog')
        .evaluate((element) => [
          getComputedStyle(element).backgroundColor,
          getComputedStyle(element).borderRadius,
        ]),
    ).toEqual(['rgb(254, 254, 254)', '4px']);
  });
});
