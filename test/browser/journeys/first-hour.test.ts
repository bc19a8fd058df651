import { freePort } from '../../../apps/standalone/src/ports.js';
import { buildPackages } from '../../../tools/build-packages.mjs';
import { eventually } from '../../support/assertions/eventually.js';
import { tutorial, TutorialFolder } from '../../support/fixtures/tutorial.js';
import { describeJourneys } from './support/stage.js';

describeJourneys('The tutorial docs/start/connect-on-a-web-page.md', (stage) => {
  let folder: TutorialFolder;
  beforeAll(async () => {
    expect(await buildPackages()).toBe(true);
    folder = new TutorialFolder(stage.service.dataDir);
  });
  afterAll(() => folder.remove());

  it('leads to an app in which a person links a bank and sees transactions', async () => {
    const port = await freePort('127.0.0.1');
    const text = tutorial('start/connect-on-a-web-page.md', { 4500: port });
    folder.save(text);
    const printed = folder.open(text);
    await eventually(() => expect(printed()).toContain('listening on'));
    const page = await stage.newPage();
    await page.goto(`http://127.0.0.1:${port}`);
    await page.getByRole('button', { name: 'Link a bank' }).click();
    const person = await stage.person(page);
    await person.chooseBank('Credentials Bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await eventually(async () => {
      expect(printed()).not.toContain('Error');
      expect(await page.locator('#rows').innerText()).not.toBe('');
    });
    const rows = (await page.locator('#rows').innerText()).split('\n');
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d {2}\S.* {2}[-+]\d+(\.\d+)? USD$/);
  });
});
