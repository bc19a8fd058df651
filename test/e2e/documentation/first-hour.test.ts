import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';
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
const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** A command in another terminal. @returns what it has printed so far */
function open(command: string): () => string {
  let printed = '';
  const child = spawn('bash', ['-c', `. .tributary/sandbox.env\nexec ${command}`], { cwd: folder });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const ended = new Promise((resolve) => child.once('close', resolve));
  running.push(() => (child.kill(), ended));
  return () => printed;
}

function save({ files }: Tutorial): void {
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
}

/** Runs the commands of a page in one shell, in their order. @returns what each command prints */
async function follow({ commands }: Pick<Tutorial, 'commands'>): Promise<string[]> {
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
  save(page);
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

it('docs/start/receive-a-webhook.md leads to a receiver that accepts events of the service and refuses a forgery', async () => {
  const page = tutorial('start/receive-a-webhook.md', { 4400: await freePort('127.0.0.1') });
  save(page);
  const [receiver] = page.terminals;
  const heard = open(receiver?.command ?? '');
  await eventually(() => expect(heard()).toContain('listening on'));
  const [variables, ...commands] = ['. .tributary/sandbox.env', ...page.commands];
  const printed = await follow({
    commands: [`${variables}\n${commands[0]}`, ...commands.slice(1)],
  });
  expect(printed.at(-1)).toBe('400\n');
  await eventually(() => {
    const lines = heard()
      .split('\n')
      .map((line) => line.trimEnd());
    expect(lines).toEqual(
      expect.arrayContaining(page.example.split('\n').filter((line) => line !== '')),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^refused /));
  });
});
