import { eventually } from '../../support/assertions/eventually.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CREDENTIALS, WAIT } from './support/views.js';

describeInBrowser('Connect with a screen reader', (stage) => {
  it('moves the focus to the heading of each new screen', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { frame } = await stage.open(session);
    const headingHasFocus = (name: string): Promise<void> =>
      eventually(async () =>
        expect(
          await frame
            .getByRole('heading', { name })
            .evaluate((element) => document.activeElement === element),
        ).toBe(true),
      );
    await headingHasFocus('Sign in to your bank');
    session.then(() => ACCOUNTS);
    await frame.getByLabel('User name').fill('u');
    await frame.getByLabel('Password', { exact: true }).fill('p');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await headingHasFocus('Choose accounts to share');
  });

  it('animates nothing when the user prefers reduced motion', async () => {
    const { frame } = await stage.open(new ScriptedSession(WAIT), {
      context: { reducedMotion: 'reduce' },
    });
    await frame.getByRole('heading', { name: 'Connecting to Credentials Bank' }).waitFor();
    expect(await frame.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});
