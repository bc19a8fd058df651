import { pressToOpen } from '../../support/actors/hosted-page.js';
import { HostedMails, isWideEnough } from './support/hosted-mails.js';
import { describeJourneys } from './support/stage.js';

/**
 * link-lifecycle 2.6: a session in a page of the service, from an address in a mail. The other ends of
 * such a session are proven over HTTP (e2e/link-sessions), and in a browser in long runs.
 */
describeJourneys('A hosted session', (stage) => {
  const mails = new HostedMails(stage);

  it('repairs a broken bank on a phone, and returns to the app with the outcome', async () => {
    const linkId = await mails.brokenLink('mail-repair');
    const mail = await mails.create({ existing_link_id: linkId });
    const { page, person, referrers } = await mails.load(mail);
    await person.sees('Connect your bank');
    expect(page.url()).toBe(`${stage.service.info.connect_base_url}/hosted`);
    expect((await mails.read(mail)).opened_at).toBeNull();
    await pressToOpen(page);
    await person.sees('Sign in to your bank');
    expect((await mails.read(mail)).opened_at).not.toBeNull();
    expect(await isWideEnough(page)).toBe(true);
    await person.signIn('user_good');
    await page.waitForURL(`${stage.pages.origin}/?session_id=${mail.session_id}&outcome=relinked`);
    expect(await stage.app.link(linkId)).toMatchObject({ state: 'connected', error_code: null });
    expect(await mails.announced(mail)).toEqual([['relinked', linkId]]);
    // Neither the app's page nor any other site learns where the user comes from.
    expect(referrers).toEqual([]);
    expect(await page.evaluate(() => document.referrer)).toBe('');
  });
});
