import { freePort } from '../../../apps/standalone/src/ports.js';
import { buildPackages } from '../../../tools/build-packages.mjs';
import { eventually } from '../../support/assertions/eventually.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { tutorial, TutorialFolder } from '../../support/fixtures/tutorial.js';

let service: SharedService;
let folder: TutorialFolder;
beforeAll(async () => {
  expect(await buildPackages({ quiet: true })).toBe(true);
  service = await shareService();
});
beforeEach(() => {
  folder = new TutorialFolder(service.dataDir);
});
afterEach(() => folder.remove());

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

it('docs/start/first-link.md leads from a started service to transactions with curl and Node', async () => {
  const page = tutorial('start/first-link.md');
  folder.save(page);
  const [address, , linkId, read, byNode = ''] = await folder.follow(page);
  expect(address).toBe(`${service.info.base_url}\n`);
  expect(linkId).toMatch(/^mk_\w{22}\n$/);
  expect(read).toContain('"accounts":[{"account_id":"acc_');
  expect(read).toContain('"transactions":[{"transaction_id":"txn_');
  const [bank, ...rows] = linesOf(page.example);
  const [first, ...lines] = linesOf(byNode);
  expect(first).toBe(bank);
  expect(lines).toHaveLength(rows.length);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \S.* -?\d+(\.\d+)? USD$/);
});

it('docs/start/receive-a-webhook.md leads to a receiver that accepts events of the service and refuses a forgery', async () => {
  const page = tutorial('start/receive-a-webhook.md', { 4400: await freePort('127.0.0.1') });
  folder.save(page);
  const heard = folder.open(page);
  await eventually(() => expect(heard()).toContain('listening on'));
  const printed = await folder.follow(page);
  expect(printed.at(-1)).toBe('400\n');
  await eventually(() => {
    const lines = linesOf(heard()).map((line) => line.trimEnd());
    expect(lines).toEqual(expect.arrayContaining(linesOf(page.example)));
  });
});

it('The program in README.md prints the newest transactions of a new link', async () => {
  const { program } = tutorial('../README.md');
  folder.save({ files: [{ name: 'readme.mjs', content: program }] });
  const [printed = ''] = await folder.follow({ commands: ['node readme.mjs'] });
  expect(linesOf(printed)).toHaveLength(3);
  for (const line of linesOf(printed))
    expect(line).toMatch(/^\d{4}-\d\d-\d\d \S.* [-+]\d+(\.\d+)? USD$/);
});
