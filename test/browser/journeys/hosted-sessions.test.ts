import type { BrowserContextOptions, Page } from 'playwright-core';
import { ar } from '../../../apps/connect/src/texts/ar.js';
import { de } from '../../../apps/connect/src/texts/de.js';
import { deDeferred } from '../../../apps/connect/src/texts/deferred/de.js';
import { en } from '../../../apps/connect/src/texts/en.js';
import { es } from '../../../apps/connect/src/texts/es.js';
import { fr } from '../../../apps/connect/src/texts/fr.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { eventually } from '../../support/assertions/eventually.js';
import type { SessionResponse } from '../../support/actors/response-bodies.js';
import { CREDENTIALS_BANK, OAUTH_BANK } from './support/at-the-banks.js';
import { Person } from './support/person.js';
import { describeJourneys, SESSION_DEFAULTS } from './support/stage.js';

/** The narrowest phone of connect 12, which has no SDK and no page of the app. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 320, height: 640 },
  isMobile: true,
  hasTouch: true,
};

interface HostedSession extends SessionResponse {
  session_id: string;
  hosted_url: string;
}
interface ReadSession {
  outcome: string | null;
  link_id: string | null;
  exchangeable_token: string | null;
}

/** link-lifecycle 2.6: a session in a page of the service, from an address in a mail. */
describeJourneys('A hosted session', (stage) => {
  const truth = new StoredTruth(() => stage.service.info.database_url);
  const create = (fields: Record<string, unknown>) =>
    stage.app.createSession({
      ...SESSION_DEFAULTS,
      hosted: { return_url: `${stage.pages.origin}/` },
      ...fields,
    }) as Promise<HostedSession>;
  const read = ({ session_id: id }: HostedSession) =>
    stage.app.get<ReadSession>(`/link-sessions/${id}`);
  const brokenLink = async (customerUser: string): Promise<string> => {
    const { body } = await stage.app.call<{ link_id: string }>('POST', '/sandbox/link', {
      body: { institution_id: CREDENTIALS_BANK, customer_user: { id: customerUser } },
    });
    await stage.app.call('POST', `/links/${body.link_id}/reset`);
    return body.link_id;
  };
  /** Opens the address of a mail; `referrers` are the addresses of the service that any site received from then on. */
  const openMail = async ({ hosted_url: url }: HostedSession, options: BrowserContextOptions) => {
    const page = await stage.newPage({ ...PHONE, ...options });
    const { origin } = new URL(url);
    const referrers: string[] = [];
    page.context().on('request', (request) => {
      const { referer = '' } = request.headers();
      if (referer.startsWith(origin)) referrers.push(referer);
    });
    await page.goto(url);
    return { page, referrers, person: await Person.at(page, stage.service.info.connect_base_url) };
  };
  const isWideEnough = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  const announced = async ({ session_id: id }: HostedSession) => {
    const { events } = await stage.app.get<{ events: { body: Record<string, unknown> }[] }>(
      '/webhooks/events?webhook_event=link_session.finished&limit=500',
    );
    return events
      .filter(({ body }) => body['session_id'] === id)
      .map(({ body }) => [body['outcome'], body['link_id']]);
  };

  it('repairs a broken bank on a phone, and returns to the app with the outcome', async () => {
    const linkId = await brokenLink('mail-repair');
    const mail = await create({ existing_link_id: linkId });
    const { page, person, referrers } = await openMail(mail, {});
    expect(page.url()).toBe(`${stage.service.info.connect_base_url}/hosted`);
    await person.sees('Sign in to your bank');
    expect(await isWideEnough(page)).toBe(true);
    await person.signIn('user_good');
    await page.waitForURL(`${stage.pages.origin}/?session_id=${mail.session_id}&outcome=relinked`);
    expect(await stage.app.link(linkId)).toMatchObject({ state: 'connected', error_code: null });
    expect(await announced(mail)).toEqual([['relinked', linkId]]);
    // Neither the app's page nor any other site learns where the user comes from.
    expect(referrers).toEqual([]);
    expect(await page.evaluate(() => document.referrer)).toBe('');
  });

  it('links a bank with its own login pages in the language of the phone, without any page of the app', async () => {
    const mail = await create({
      institution_id: OAUTH_BANK,
      customer_user: { id: 'mail-oauth' },
      hosted: { expires_in_seconds: 604_800 },
    });
    const { page, person, referrers } = await openMail(mail, { locale: 'de-DE' });
    await person.sees('Sie melden sich bei OAuth Bank an');
    const opening = page.context().waitForEvent('page');
    await person.press(/OAuth Bank/);
    const bank = await opening;
    await bank.getByRole('button', { name: 'Approve' }).click();
    await person.sees(deDeferred.permissions_title.replace('{app}', 'App of a file'));
    await person.press('Erlauben');
    await person.press(/teilen$/);
    await person.reads(de.done_close);
    expect(await isWideEnough(page)).toBe(true);
    expect(referrers).toEqual([]);

    const { outcome, exchangeable_token: token } = await read(mail);
    expect(outcome).toBe('linked');
    const { body } = await stage.app.exchange(token ?? '', {
      expected_customer_user_id: 'mail-oauth',
    });
    expect(body.link).toMatchObject({ state: 'connected', institution_id: OAUTH_BANK });
    expect(await announced(mail)).toEqual([['linked', body.link_id]]);
  });

  it('returns a user who leaves to the app, and lets the same browser come back', async () => {
    const mail = await create({
      institution_id: CREDENTIALS_BANK,
      customer_user: { id: 'mail-back' },
    });
    const { page, person } = await openMail(mail, {});
    await person.sees('Sign in to your bank');
    await person.press('Close');
    await page.waitForURL(`${stage.pages.origin}/?session_id=${mail.session_id}&outcome=exited`);
    expect((await read(mail)).outcome).toBe('exited');
    await page.goto(mail.hosted_url);
    await (await Person.at(page, stage.service.info.connect_base_url)).sees('Sign in to your bank');
    expect((await read(mail)).outcome).toBeNull();
  });

  describe('whose address cannot be used', () => {
    const words = async (page: Page) => page.locator('body').innerText();
    /** Sees why in words, and nothing of the session. */
    const isRefused = async (mail: HostedSession, locale: string, title: string, page?: Page) => {
      const opened = page ?? (await openMail(mail, { locale })).page;
      await opened.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await words(opened)).not.toMatch(/App of a file|Credentials Bank/);
      expect(await opened.evaluate(() => document.documentElement.lang)).toBe(locale.slice(0, 2));
      expect(opened.url()).not.toContain(mail.link_session_token);
    };

    it('says so in a second browser, and in the first one after the result', async () => {
      const linkId = await brokenLink('mail-twice');
      const mail = await create({ existing_link_id: linkId, hosted: {} });
      const { page, person } = await openMail(mail, {});
      await person.sees('Sign in to your bank');
      await isRefused(mail, 'fr-FR', fr.problem_invalid_session_token_title);
      await person.signIn('user_good');
      await person.reads('You can close this window.');
      await page.goto('about:blank');
      await page.goto(mail.hosted_url);
      await isRefused(mail, 'en-US', en.problem_session_closed_title, page);
    });

    it('says so when its time is over', async () => {
      const mail = await create({ institution_id: CREDENTIALS_BANK, hosted: {} });
      await truth.rows('UPDATE link_sessions SET expires_at = now() WHERE session_id = $1', [
        mail.session_id,
      ]);
      await isRefused(mail, 'es-ES', es.problem_session_expired_title);
      await eventually(async () => expect((await read(mail)).outcome).toBe('expired'));
    });

    it('says so after its link was deleted, and after a newer one for the link', async () => {
      const linkId = await brokenLink('mail-deleted');
      const [older, newer] = [
        await create({ existing_link_id: linkId, hosted: {} }),
        await create({ existing_link_id: linkId, hosted: {} }),
      ];
      await isRefused(older, 'de-DE', deDeferred.moved_title);
      await stage.app.call('DELETE', `/links/${linkId}`);
      await isRefused(newer, 'ar-EG', ar.problem_session_closed_title);
    });
  });
});
