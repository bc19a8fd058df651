import { describeConsole } from './support/stage.js';

describeConsole('A person with a one-time link to the console', (stage) => {
  it('signs in, links a test bank, finds its row, reads all that happened, and signs out', async () => {
    const { page, faults } = await stage.newPage();
    const link = await stage.oneTimeLink('--label', 'ada');
    await page.goto(link);
    await page.getByText('operate the whole instance').waitFor();
    expect(page.url()).toBe(`${stage.url}/sign-in`);
    expect(link).toMatch(`${stage.url}/sign-in#code=`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'The instance' }).waitFor();

    const app = `${stage.url}/a/${stage.service.app.app_id}/sandbox`;
    await page.goto(app);
    await page.getByRole('heading', { name: /^First steps · \d of 7$/ }).waitFor();
    await page.getByRole('navigation', { name: 'Console' }).getByText('Sandbox').click();
    await page.getByLabel('User id').fill('user-4711');
    await page.getByRole('button', { name: 'Link it' }).click();
    const linked = page.getByRole('link', { name: 'Open the link' });
    const refusal = page.getByRole('alert').filter({ hasText: /./ });
    await linked.or(refusal).first().waitFor();
    expect(await refusal.allInnerTexts()).toEqual([]);

    await page.getByRole('navigation', { name: 'Console' }).getByText('Links').click();
    const row = page.getByRole('row', { name: /user-4711/ });
    await row.getByText('Connected').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await row.getByRole('link').click();

    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    for (const entry of ['Attempt to link: linked', 'Connected for the first time', 'Connected'])
      await page.getByText(entry, { exact: true }).first().waitFor();
    await page.getByText('2,350.00 USD').waitFor();
    await page.goto(app);
    const step = page.getByRole('listitem').filter({ hasText: 'Read accounts' });
    await step.getByText('in this browser').waitFor();

    await page.getByRole('button', { name: 'Signed in as link:ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You need a link to sign in' }).waitFor();
    expect(faults).toEqual([]);

    await page.goto(`${app}/links`);
    await page.getByRole('heading', { name: 'You need a link to sign in' }).waitFor();
  });

  it('shows how to get another link, once theirs was used', async () => {
    const link = await stage.oneTimeLink('--role', 'app', '--app', stage.service.app.app_id);
    const { page: first } = await stage.newPage();
    await first.goto(link);
    await first.getByRole('button', { name: 'Sign in' }).click();
    await first.getByRole('heading', { name: /^First steps/ }).waitFor();
    expect(new URL(first.url()).pathname).toBe(`/a/${stage.service.app.app_id}/sandbox`);
    const { page: second } = await stage.newPage();
    await second.goto(link);
    await second.getByRole('heading', { name: 'You need a new link' }).waitFor();
    await second.getByText('This link was used').waitFor();
    expect(await second.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
  });
});
