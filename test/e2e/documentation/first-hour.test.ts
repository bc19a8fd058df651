import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { tutorial, type Tutorial } from './support/tutorial.js';

const run = promisify(execFile);

let service: SharedService;
let folder: string;
beforeAll(async () => {
  service = await shareService();
});
/** An empty folder, with the variables that a started service writes there. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
  mkdirSync(join(folder, '.tributary'));
  copyFileSync(join(service.dataDir, 'sandbox.env'), join(folder, '.tributary/sandbox.env'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Saves the files of a page and runs its commands in one shell, in their order. @returns what each command prints */
async function follow({ files, commands }: Tutorial): Promise<string[]> {
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  const MARK = '-- next command --';
  const script = commands.join(`\necho '${MARK}'\n`);
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH, HOME },
    timeout: 120_000,
  });
  return stdout.split(`${MARK}\n`);
}

it('docs/start/first-link.md leads from a started service to transactions with curl, Node and Python', async () => {
  const page = tutorial('start/first-link.md');
  const printed = await follow(page);
  const [address, , linkId, read, byNode, byPython] = printed;
  expect(address).toBe(`${service.info.base_url}\n`);
  expect(linkId).toMatch(/^mk_\w{22}\n$/);
  expect(read).toContain('"accounts":[{"account_id":"acc_');
  expect(read).toContain('"transactions":[{"transaction_id":"txn_');
  const [bank, ...rows] = page.example.split('\n').filter((line) => line !== '');
  for (const output of [byNode, byPython]) {
    const [first, ...lines] = output?.trim().split('\n') ?? [];
    expect(first).toBe(bank);
    expect(lines).toHaveLength(rows.length);
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \S.* -?\d+(\.\d+)? USD$/);
  }
});
