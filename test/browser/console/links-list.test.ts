import { AppBackEnd, expectStatus } from '../../support/actors/link-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { describeConsole } from './support/stage.js';

describeConsole('The list of links in the console', (stage) => {
  const USERS = ['user-first', 'user-second'];
  beforeAll(async () => {
    const { app, info } = stage.service;
    const backEnd = new AppBackEnd(info.base_url, app.sandbox);
    const ids: string[] = [];
    for (const user of USERS) {
      const body = { institution_id: 'sandbox-credentials-bank', customer_user: { id: user } };
      // The first calls of a fresh service on a busy computer may time out.
      const { link_id: linkId } = await eventually(() =>
        expectStatus<{ link_id: string }>(200, backEnd.call('POST', '/sandbox/link', { body })),
      );
      ids.push(linkId);
    }
    await expectStatus(204, backEnd.call('DELETE', `/links/${ids[1]}`));
  });

  it('shows deleted links on request, newest first by default, and carries both in its address', async () => {
    const { page, faults } = await stage.newPage();
    await stage.signIn(page);
    const address = () => new URL(page.url()).searchParams;
    const shown = async () => {
      const rows = await page.getByRole('row').allInnerTexts();
      return rows.flatMap((row) => USERS.filter((user) => row.includes(user)));
    };
    await page.goto(`${stage.url}/a/${stage.service.app.app_id}/sandbox/links`);
    await page.getByRole('row', { name: /user-first/ }).waitFor();
    expect(await shown()).toEqual(['user-first']);

    await page.getByLabel('Also show').selectOption('Deleted');
    await page
      .getByRole('row', { name: /user-second/ })
      .getByText('Deleted')
      .waitFor();
    expect(address().get('include')).toBe('deleted');
    expect(await shown()).toEqual(['user-second', 'user-first']);
    expect(await page.getByLabel('Changed since').count()).toBe(0);

    await page.getByLabel('Order').selectOption('Oldest first');
    await eventually(async () => expect(await shown()).toEqual(USERS));
    expect(address().get('order')).toBe('asc');

    await page.getByLabel('Also show').selectOption('All');
    await page.getByLabel('State').selectOption('Deleted');
    await eventually(async () => expect(await shown()).toEqual(['user-second']));
    expect(faults).toEqual([]);
  });
});
