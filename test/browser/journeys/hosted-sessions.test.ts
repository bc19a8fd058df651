import { pressToOpen } from '../../support/actors/hosted-page.js';
import { CREDENTIALS_BANK } from './support/at-the-banks.js';
import { HostedMails, isWideEnough } from './support/hosted-mails.js';
import type { Person } from './support/person.js';
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

  it('comes back to its step when the phone has discarded the tab, in its own browser only, and to its outcome after the end', async () => {
    const mail = await mails.create({
      institution_id: CREDENTIALS_BANK,
      customer_user: { id: 'mail-discarded' },
    });
    const opened = await mails.open(mail);
    await opened.person.sees('Sign in to your bank');
    const address = opened.page.url();
    expect(address).toBe(
      `${stage.service.info.connect_base_url}/hosted#session=${mail.session_id}`,
    );
    // The phone ends the browser as well, so nothing of the tab is left but its address.
    const load = async (): Promise<Person> => {
      const tab = await opened.page.context().newPage();
      await tab.goto(address);
      return mails.person(tab);
    };
    const reload = async (person: Person): Promise<void> => {
      await person.page.reload();
    };
    await opened.person.signIn('mfa_sms');
    await opened.person.sees('Enter the code');
    await opened.page.close();
    const person = await load();
    await person.sees('Enter the code');
    expect(await isWideEnough(person.page)).toBe(true);
    const stranger = await stage.newPage();
    await stranger.goto(address);
    await (await mails.person(stranger)).sees('Open the link in your message again');
    await person.type('123456');
    await person.sees(/^What .+ will see$/);
    await reload(person);
    await person.sees(/^What .+ will see$/);
    await person.press('Allow');
    await person.sees('Choose accounts to share');
    await reload(person);
    await person.sees('Choose accounts to share');
    await person.press(/^Share \d accounts?$/);
    await person.page.waitForURL(
      `${stage.pages.origin}/?session_id=${mail.session_id}&outcome=linked`,
    );
    const back = await load();
    await back.sees('You connected your bank');
    expect(await isWideEnough(back.page)).toBe(true);
    expect((await mails.read(mail)).outcome).toBe('linked');
    const cookies = await back.page.context().cookies();
    expect(cookies).toMatchObject([
      { name: 'connect-browser', httpOnly: true, sameSite: 'Strict', path: '/' },
    ]);
  });
});
