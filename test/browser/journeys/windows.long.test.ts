import type { Page, Request } from 'playwright-core';
import { openHostedPage } from '../../support/actors/hosted-page.js';
import { eventually } from '../../support/assertions/eventually.js';
import { operate } from '../../support/actors/operator.js';
import type { Person } from './support/person.js';
import { describeJourneys } from './support/stage.js';

const CREDENTIALS_BANK = 'sandbox-credentials-bank';
const OAUTH_BANK = 'sandbox-oauth-bank';

/** Records the calls of one kind that a page and its frames send from now on. */
function callsOf(page: Page, path: string): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/connect/api${path}`) && request.method() === 'POST')
      calls.push(request);
  });
  return calls;
}

describeJourneys('Connect in several windows', (stage) => {
  const startRedirect = async (person: Person): Promise<Page> => {
    await person.sees('You’ll sign in at OAuth Bank');
    const opened = person.page.context().waitForEvent('page');
    await person.press(/^Continue to OAuth Bank/);
    const bank = await opened;
    await bank.getByRole('heading', { name: /Share your accounts/ }).waitFor();
    return bank;
  };
  const atOAuthBank = async (path: string, sdk: Record<string, unknown> = {}): Promise<Person> =>
    stage.open(
      await stage.session({
        institution_id: OAUTH_BANK,
        redirect_uri: `${stage.pages.origin}${path}`,
      }),
      { sdk },
    );
  const call = (page: Page, name: string, ...args: unknown[]): Promise<void> =>
    page.evaluate(
      ([method, given]) => {
        (window as unknown as Record<string, (...args: unknown[]) => void>)[method]?.(...given);
      },
      [name, args] as const,
    );
  /** Opens a page in another browser context that passes this address to the SDK. */
  const resumeElsewhere = async (url: string): Promise<Person> => {
    const page = await stage.newPage();
    await page.goto(`${stage.pages.origin}/`);
    await page.waitForFunction(() => 'continueWith' in window);
    await call(page, 'continueWith', url);
    return stage.person(page);
  };

  describe('after the redirect back from OAuth Bank (connect 13, check 4)', () => {
    it('completes through a channel of the app when the popup lost its opener', async () => {
      const person = await atOAuthBank('/cut-off');
      const bank = await startRedirect(person);
      await bank.getByRole('button', { name: 'Approve' }).click();
      await person.sees(/^What .+ will see$/);
      await eventually(() => expect(bank.isClosed()).toBe(true));
      await person.allowAndShare();
      expect(await person.ending()).toMatchObject({
        name: 'success',
        payload: { mode: 'link', institution: { institution_id: OAUTH_BANK } },
      });
    });

    it('completes in the same window, and refuses the same address again', async () => {
      const person = await atOAuthBank('/bank-return', { oauthWindow: 'same' });
      const { page } = person;
      await person.sees('You’ll sign in at OAuth Bank');
      await person.press(/^Continue to OAuth Bank/);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.waitForURL('**/bank-return?oauth_state_id=*');
      const address = page.url();
      expect([...new URL(address).searchParams.keys()]).toEqual(['oauth_state_id']);
      const back = await stage.person(page);
      await back.allowAndShare();
      expect(await back.ending()).toMatchObject({
        name: 'success',
        payload: { mode: 'link', exchangeable_token: expect.stringMatching(/^sandbox_xt_/) },
      });

      const replay = await resumeElsewhere(address);
      await replay.sees('We couldn’t complete your return from the bank');
      expect((await replay.callbacks('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.oauth_state_invalid',
      });
      await replay.press('Close');
      expect(await replay.ending()).toMatchObject({
        name: 'exit',
        payload: { reason: 'error', error: { error_id: 'connect_error.oauth_state_invalid' } },
      });
    });

    it('completes only once the return address is handed over, also in another browser, and the older window explains it', async () => {
      const person = await atOAuthBank('/forgetful');
      const bank = await startRedirect(person);
      await bank.getByRole('button', { name: 'Approve' }).click();
      await bank.waitForURL('**/forgetful?oauth_state_id=*');
      await person.sees('Finish in your bank’s window');

      // Any window other than the popup may send anything without effect.
      const returns = callsOf(person.page, '/session/oauth/return');
      const known = (await person.callbacks()).length;
      await person.page.evaluate((url) => {
        const envelope = (channel: string, type: string, payload: object) => ({
          ns: 'connect',
          v: 1,
          channel,
          type,
          payload,
        });
        const forged = [
          envelope('', 'resume', { url }),
          envelope('wrong-channel-wrong-channel', 'oauth_result', { url }),
          envelope('', 'success', { mode: 'link', exchangeable_token: 'sandbox_xt_forged' }),
          { type: 'resume', url },
          'resume',
          null,
        ];
        const foreign = document.body.appendChild(document.createElement('iframe')).contentWindow;
        const connect = [...document.querySelectorAll('iframe')].find(
          ({ title }) => title !== '',
        )?.contentWindow;
        for (const message of forged) {
          connect?.postMessage(message, '*');
          // From a window of the app's own origin that is not the popup, and to the SDK from a
          // window that is not its frame.
          (
            foreign as unknown as {
              eval: (code: string) => (to: Window | null | undefined, message: unknown) => void;
            }
          ).eval('(to, message) => to.postMessage(message, "*")')(connect, message);
          (
            foreign as unknown as { eval: (code: string) => (to: Window, message: unknown) => void }
          ).eval('(to, message) => to.postMessage(message, "*")')(window, message);
        }
      }, bank.url());
      await person.frame.evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(() => setTimeout(resolve));
          }),
      );
      expect({ returns: returns.length, callbacks: (await person.callbacks()).length }).toEqual({
        returns: 0,
        callbacks: known,
      });
      await person.sees('Finish in your bank’s window');

      const elsewhere = await resumeElsewhere(bank.url());
      await elsewhere.sees(/^What .+ will see$/);
      await person.sees('Continued in another window');
      expect(await person.ending()).toMatchObject({
        name: 'exit',
        payload: { reason: 'moved', error: { error_id: 'connect_error.session_moved' } },
      });
      await elsewhere.allowAndShare();
      expect((await elsewhere.ending()).name).toBe('success');
      await person.frame.locator('button.primary').click();
      await person.page.locator('iframe[title]').waitFor({ state: 'detached' });
    });
  });

  it('moves to a second tab at the same step, and keeps it on a reload (connect 13, check 5)', async () => {
    const token = await stage.session({ institution_id: CREDENTIALS_BANK });
    const first = await stage.open(token);
    await first.sees('Sign in to your bank');
    await first.signIn('mfa_sms');
    await first.sees('Enter the code');
    const second = await stage.open(token);
    await second.sees('Enter the code');
    // The older window learns this from its next call.
    await first.type('123456');
    await first.sees('Continued in another window');
    const reloaded = await stage.open(token, { page: second.page });
    await reloaded.sees('Enter the code');
    await reloaded.type('123456');
    await reloaded.allowAndShare();
    expect((await reloaded.ending()).name).toBe('success');
  });

  it('submits once on a double click, and once when the network is lost (connect 13, check 5)', async () => {
    const person = await stage.open(await stage.session({ institution_id: CREDENTIALS_BANK }));
    const steps = callsOf(person.page, '/session/step');
    await person.sees('Sign in to your bank');
    await person.frame.getByLabel('User name').fill('mfa_sms');
    await person.frame.getByLabel('Password', { exact: true }).fill('pass_good');
    await person.frame.getByRole('button', { name: 'Continue' }).dblclick();
    await person.sees('Enter the code');
    // A busy service may have requested to send it again.
    const requestIds = (requests: readonly Request[]) =>
      requests.map((request) => (request.postDataJSON() as { request_id: string }).request_id);
    expect(new Set(requestIds(steps)).size).toBe(1);
    const { length: sent } = steps;

    await person.page.context().setOffline(true);
    await person.type('123456');
    await person.reads('You’re offline. We’ll keep trying.');
    await person.page.context().setOffline(false);
    await person.sees(/^What .+ will see$/);
    const ids = requestIds(steps.slice(sent));
    expect({ hasSeveral: ids.length > 1, distinct: new Set(ids).size }).toEqual({
      hasSeveral: true,
      distinct: 1,
    });
  });

  it('starts again with the same token after an exit (connect 13, check 9)', async () => {
    const token = await stage.session();
    const person = await stage.open(token);
    await person.chooseBank('Credentials Bank');
    await person.sees('Sign in to your bank');
    await person.page.keyboard.press('Escape');
    await person.press('Stop connecting');
    expect(await person.ending()).toMatchObject({
      name: 'exit',
      payload: {
        reason: 'user_closed',
        error: null,
        institution: { institution_id: CREDENTIALS_BANK },
      },
    });
    await call(person.page, 'openAgain', token);
    const again = await stage.person(person.page);
    await again.sees('Choose your bank');
  });

  it('ends the older session of a link when a newer one starts, and its window explains it (connect 13, check 9)', async () => {
    const first = await stage.open(
      await stage.session({ institution_id: 'sandbox-credentials-bank' }),
    );
    await first.sees('Sign in to your bank');
    await first.signIn('user_good');
    await first.allowAndShare();
    const { body } = await stage.app.exchange(
      String((await first.ending()).payload['exchangeable_token']),
    );
    const older = await stage.open(await stage.session({ existing_link_id: body.link_id }));
    await older.sees('Sign in to your bank');
    const newer = await stage.open(await stage.session({ existing_link_id: body.link_id }));
    await newer.sees('Sign in to your bank');
    await older.signIn('user_good');
    await older.sees('Continued in another window');
    expect(await older.ending()).toMatchObject({ name: 'exit', payload: { reason: 'moved' } });
  });

  it('is refused on a page that is not on the list, and on the hosted page even where its origin is listed (connect 13, check 6)', async () => {
    const list = (...origins: string[]) =>
      operate(
        stage.service.dataDir,
        'apps',
        'update',
        stage.service.app.app_id,
        ...origins.flatMap((origin) => ['--page-origin', origin]),
      );
    await list('https://app.example');
    const person = await stage.open(await stage.session());
    await person.sees('This website isn’t allowed to connect banks');
    await person.press('Close');
    expect(await person.ending()).toMatchObject({
      name: 'exit',
      payload: { reason: 'error', error: { error_id: 'connect_error.origin_not_allowed' } },
    });
    const hosted = async (): Promise<Page> => {
      const page = await stage.newPage();
      await openHostedPage(
        page,
        `${stage.service.info.connect_base_url}/hosted#token=${await stage.session()}`,
      );
      return page;
    };
    await list(new URL(stage.service.info.connect_base_url).origin);
    await (
      await hosted()
    )
      .getByRole('heading', { name: 'This website isn’t allowed to connect banks' })
      .waitFor();
  });
});
