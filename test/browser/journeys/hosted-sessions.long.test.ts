import type { Page } from 'playwright-core';
import { ar } from '../../../apps/connect/src/texts/ar.js';
import { de } from '../../../apps/connect/src/texts/de.js';
import { deDeferred } from '../../../apps/connect/src/texts/deferred/de.js';
import { en } from '../../../apps/connect/src/texts/en.js';
import { es } from '../../../apps/connect/src/texts/es.js';
import { fr } from '../../../apps/connect/src/texts/fr.js';
import { openHostedPage } from '../../support/actors/hosted-page.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { eventually } from '../../support/assertions/eventually.js';
import { CREDENTIALS_BANK, OAUTH_BANK } from './support/at-the-banks.js';
import { HostedMails, isWideEnough, type HostedSession } from './support/hosted-mails.js';
import { describeJourneys } from './support/stage.js';

/** link-lifecycle 2.6: a session in a page of the service, from an address in a mail. */
describeJourneys('A hosted session', (stage) => {
  const truth = new StoredTruth(() => stage.service.info.database_url);
  const mails = new HostedMails(stage);

  it('links a bank with its own login pages in the language of the phone, without any page of the app', async () => {
    const mail = await mails.create({
      institution_id: OAUTH_BANK,
      customer_user: { id: 'mail-oauth' },
      hosted: { expires_in_seconds: 604_800 },
    });
    const { page, person, referrers } = await mails.open(mail, { locale: 'de-DE' });
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

    const { outcome, exchangeable_token: token } = await mails.read(mail);
    expect(outcome).toBe('linked');
    const { body } = await stage.app.exchange(token ?? '', {
      expected_customer_user_id: 'mail-oauth',
    });
    expect(body.link).toMatchObject({ state: 'connected', institution_id: OAUTH_BANK });
    expect(await mails.announced(mail)).toEqual([['linked', body.link_id]]);
  });

  it('returns a user who leaves to the app, and lets the same browser come back', async () => {
    const mail = await mails.create({
      institution_id: CREDENTIALS_BANK,
      customer_user: { id: 'mail-back' },
    });
    const { page, person } = await mails.open(mail);
    await person.sees('Sign in to your bank');
    await person.press('Close');
    await page.waitForURL(`${stage.pages.origin}/?session_id=${mail.session_id}&outcome=exited`);
    expect((await mails.read(mail)).outcome).toBe('exited');
    await page.goto(mail.hosted_url);
    await (await mails.person(page)).sees('Sign in to your bank');
    expect((await mails.read(mail)).outcome).toBeNull();
  });

  it('continues after a bank in the same tab and a reload there, beside another session of the browser', async () => {
    const customer = { id: 'mail-same-tab' };
    const [mail, other] = [
      await mails.create({ institution_id: OAUTH_BANK, customer_user: customer }),
      await mails.create({ institution_id: CREDENTIALS_BANK, customer_user: customer }),
    ];
    const { page } = await mails.load(mail);
    // A browser that blocks the window of the bank.
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.reload();
    const person = await mails.person(page);
    await person.sees('Open the link in your message again');
    await page.goto('about:blank');
    await openHostedPage(page, mail.hosted_url);
    await person.sees('You’ll sign in at OAuth Bank');
    const beside = await page.context().newPage();
    await openHostedPage(beside, other.hosted_url);
    await (await mails.person(beside)).sees('Sign in to your bank');

    await page.reload();
    await person.sees('You’ll sign in at OAuth Bank');
    await person.press(/^Continue to OAuth Bank/);
    await page.getByRole('heading', { name: /Share your accounts/ }).waitFor();
    // Back from the bank without a decision there.
    await page.goBack();
    await person.sees('Finish in your bank’s window');
    await page.goForward();
    await page.getByRole('button', { name: 'Approve' }).click();
    await person.sees(/^What .+ will see$/);
    await page.reload();
    await person.allowAndShare();
    await page.waitForURL(`${stage.pages.origin}/?session_id=${mail.session_id}&outcome=linked`);
    await page.goBack();
    await person.sees('You connected your bank');
    await beside.reload();
    await (await mails.person(beside)).sees('Sign in to your bank');
    expect((await mails.read(other)).outcome).toBeNull();
  });

  describe('whose address cannot be used', () => {
    const words = async (page: Page) => page.locator('body').innerText();
    /** Sees why in words, and nothing of the session. */
    const isRefused = async (mail: HostedSession, locale: string, title: string, page?: Page) => {
      const opened = page ?? (await mails.open(mail, { locale })).page;
      await opened.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await words(opened)).not.toMatch(/App of a file|Credentials Bank/);
      expect(await opened.evaluate(() => document.documentElement.lang)).toBe(locale.slice(0, 2));
      expect(opened.url()).not.toContain(mail.link_session_token);
    };

    it('says so in a second browser, and in the first one after the result', async () => {
      const linkId = await mails.brokenLink('mail-twice');
      const mail = await mails.create({ existing_link_id: linkId, hosted: {} });
      const { page, person } = await mails.open(mail);
      await person.sees('Sign in to your bank');
      await isRefused(mail, 'fr-FR', fr.problem_invalid_session_token);
      await person.signIn('user_good');
      await person.reads('You can close this window.');
      await page.goto('about:blank');
      await page.goto(mail.hosted_url);
      await isRefused(mail, 'en-US', en.problem_session_closed, page);
    });

    it('says so when its time is over', async () => {
      const mail = await mails.create({ institution_id: CREDENTIALS_BANK, hosted: {} });
      await truth.rows('UPDATE link_sessions SET expires_at = now() WHERE session_id = $1', [
        mail.session_id,
      ]);
      await isRefused(mail, 'es-ES', es.problem_session_expired);
      await eventually(async () => expect((await mails.read(mail)).outcome).toBe('expired'));
    });

    it('says so after its link was deleted, and after a newer one for the link', async () => {
      const linkId = await mails.brokenLink('mail-deleted');
      const [older, newer] = [
        await mails.create({ existing_link_id: linkId, hosted: {} }),
        await mails.create({ existing_link_id: linkId, hosted: {} }),
      ];
      await isRefused(older, 'de-DE', deDeferred.moved_title);
      await stage.app.call('DELETE', `/links/${linkId}`);
      await isRefused(newer, 'ar-EG', ar.problem_session_closed);
    });
  });
});
