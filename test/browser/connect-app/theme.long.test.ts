import { eventually } from '../../support/assertions/eventually.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS, makeBank } from './support/views.js';

describeInBrowser('The theme of an app', (stage) => {
  it('stays that of the session on later steps, whose responses do not repeat it', async () => {
    const session = new ScriptedSession(
      { kind: 'wait', stage: 'connecting', can_cancel: false },
      { theme: { colors: { background: '#010203' } } },
    );
    const { frame } = await stage.open(session, { options: { appearance: 'light' } });
    await frame.locator('.dialog').waitFor();
    expect(session.show(CREDENTIALS).theme).toBeNull();
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    expect(
      await frame
        .locator('.dialog')
        .evaluate((element) => getComputedStyle(element).backgroundColor),
    ).toBe('rgb(1, 2, 3)');
  });

  it('changes while Connect is open', async () => {
    const { frame, say } = await stage.open(new ScriptedSession(CREDENTIALS), {
      options: { appearance: 'light' },
    });
    const dialog = frame.locator('.dialog');
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    const background = (): Promise<string> =>
      dialog.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await background()).toBe('rgb(255, 255, 255)');
    await say('theme', { theme: null, appearance: 'dark' });
    await eventually(async () => expect(await background()).toBe('rgb(20, 23, 28)'));
    await say('theme', { theme: { colors: { background: '#102030' } }, appearance: 'dark' });
    await eventually(async () => expect(await background()).toBe('rgb(16, 32, 48)'));
  });

  it('follows the system appearance when the app does not choose one', async () => {
    const { page, frame } = await stage.open(new ScriptedSession(CREDENTIALS), {
      context: { colorScheme: 'light' },
    });
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () =>
      expect(await frame.evaluate(() => document.documentElement.dataset['appearance'])).toBe(
        'dark',
      ),
    );
  });

  it("uses the bank's color on the button when it is readable", async () => {
    const theme = { button: { use_institution_color: true } };
    for (const [own, expected] of [
      ['#7a2e8e', ['rgb(122, 46, 142)', 'rgb(255, 255, 255)']],
      ['#ffe600', ['rgb(255, 230, 0)', 'rgb(20, 24, 31)']],
      ['not a color', ['rgb(31, 79, 216)', 'rgb(255, 255, 255)']],
    ] as const) {
      const { frame } = await stage.open(
        new ScriptedSession(CREDENTIALS, { institution: makeBank('Any Bank', { color: own }) }),
        { options: { theme } },
      );
      const button = frame.getByRole('button', { name: 'Continue' });
      await button.waitFor();
      expect(
        await button.evaluate((element) => [
          getComputedStyle(element).backgroundColor,
          getComputedStyle(element).color,
        ]),
      ).toEqual(expected);
    }
  });

  it('warns once in the console about invalid values, and in Sandbox about unreadable colors', async () => {
    const warnings: string[] = [];
    const session = new ScriptedSession(CREDENTIALS);
    const { page, frame, say } = await stage.open(session, { options: { appearance: 'light' } });
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    const theme = {
      colors: { accent: 'blurple', text_muted: '#eeeeee' },
      glitter: { amount: 'much' },
    };
    await say('theme', { theme, appearance: 'light' });
    await eventually(() =>
      expect(warnings).toEqual(
        expect.arrayContaining([
          expect.stringContaining('"colors.accent"'),
          expect.stringContaining('colors-text_muted on colors-background'),
        ]),
      ),
    );
    await say('theme', {
      theme: { ...theme, shape: { border_width: '2px' } },
      appearance: 'light',
    });
    await eventually(async () =>
      expect(
        await frame.evaluate(() =>
          document.documentElement.style.getPropertyValue('--connect-shape-border_width'),
        ),
      ).toBe('2px'),
    );
    expect(warnings.filter((text) => text.includes('colors.accent'))).toHaveLength(1);
  });

  it('replaces texts and images', async () => {
    const close = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
    const session = new ScriptedSession({ kind: 'select_institution' });
    const { frame } = await stage.open(session, {
      options: {
        application_name: 'My App',
        theme: {
          texts: { finder_title: 'Pick one', search_placeholder: { en: 'Find it' } },
          images: { close },
        },
      },
    });
    await frame.getByRole('heading', { name: 'Pick one' }).waitFor();
    await frame.getByPlaceholder('Find it').waitFor();
    await frame.getByText('My App', { exact: true }).waitFor();
    expect(
      await frame.getByRole('button', { name: 'Close' }).locator('img').getAttribute('src'),
    ).toBe(close);
  });

  it('renders inline without a dialog when the app requests it', async () => {
    const { frame } = await stage.open(new ScriptedSession(CREDENTIALS), {
      options: { inline: true },
    });
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    expect(await frame.getByRole('dialog').count()).toBe(0);
    expect(
      await frame
        .locator('.layer')
        .evaluate((element) => getComputedStyle(element).backgroundColor),
    ).toBe('rgba(0, 0, 0, 0)');
  });
});
