import type { Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser, type Opened } from './support/stage.js';
import { OTP } from './support/views.js';

/** Longer than the last screen is shown without an action of the user. */
const READ_MS = 5_000;

describeInBrowser('The last screen of Connect', (stage) => {
  let page: Page;
  let opened: Opened;
  beforeEach(async () => {
    page = await stage.newPage({ viewport: { width: 900, height: 800 } });
    await page.clock.install();
    const session = new ScriptedSession(OTP);
    session.then(() => ({ kind: 'success' }));
    opened = await stage.open(session, { page, options: { close_on_success: 'after_reading' } });
    await opened.frame.getByRole('textbox').fill('123456');
    // From here on, time passes only in the steps of the test.
    await page.clock.pauseAt(Date.now() + 60_000);
    await opened.frame.getByRole('button', { name: 'Continue' }).click();
    await opened.frame.getByRole('heading', { name: 'Connected' }).waitFor();
  });

  it('is shown after the app has the result, and closes by itself when it has been read', async () => {
    await eventually(async () => expect(await opened.heard('success')).toHaveLength(1));
    expect(await opened.heard('close')).toEqual([]);
    await page.clock.runFor(READ_MS);
    await eventually(async () => expect(await opened.heard('close')).toHaveLength(1));
  });

  it('stays for a user who does something there, until the button is pressed', async () => {
    await page.keyboard.press('Tab');
    await page.clock.runFor(READ_MS);
    expect(await opened.heard('close')).toEqual([]);
    await opened.frame.getByRole('button', { name: 'Done' }).click();
    await eventually(async () => expect(await opened.heard('close')).toHaveLength(1));
  });
});
