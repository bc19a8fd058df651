import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '../../../prisma/migrate/apply-migrations.js';
import { runCommand } from '../../support/actors/operator.js';
import { InstalledPostgres, installedPostgres } from './installed-postgres.js';

const PAGE = 'docs/operating/backup-and-restore.md';
const programs = installedPostgres();
const whereInstalled = programs === null ? describe.skip : describe;
const REFUSED = /This is not the database that the service wrote to/;

/** Lines of a section's `sh` blocks, without their comments. */
function commandsOf(section: string): string[] {
  const [, text = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(/^ *```sh\n([^]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim());
}

whereInstalled(`the commands of ${PAGE} (needs an installed PostgreSQL with pg_dump)`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-restore-'));
  const MASTER_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  let postgres: InstalledPostgres;
  beforeAll(async () => {
    postgres = await InstalledPostgres.start(programs ?? '');
    run('createdb tributary');
    await applyMigrations(postgres.urlOf('tributary'), 'prisma/migrations');
    expect(await cli('npm run -s cli -- app create --name Ledger')).toMatchObject({ status: 0 });
  }, 300_000);
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(line: string): void {
    const env = { ...postgres.environment, DATABASE_URL: postgres.urlOf('tributary') };
    const here = line.replace('/backup/', `${folder}/`);
    execFileSync('sh', ['-euc', here], { cwd: folder, env, stdio: 'pipe', timeout: 120_000 });
  }
  /** An operator command of the page; the address in front of it, if any, has its dots filled in. */
  async function cli(line: string) {
    const [, address, words = ''] =
      /^(?:DATABASE_URL=\S+\/(\w+) )?npm run -s cli -- (.*)$/.exec(line) ?? [];
    const args = words.split(' ').map((word) => word.replace('deleted.txt', `${folder}/$&`));
    return runCommand(args, { DATABASE_URL: postgres.urlOf(address ?? 'tributary'), MASTER_KEYS });
  }

  it('back up and restore the database, which is refused until it is recovered', async () => {
    for (const line of commandsOf('Taking a backup')) run(line);
    await cli('npm run -s cli -- app create --name Later');
    run('dropdb tributary');
    const [createdb = '', restore = '', recover = '', ...others] = commandsOf('Restoring');
    expect(others).toEqual([]);
    run(createdb);
    run(restore);
    expect((await cli('npm run -s cli -- app list')).stderr).toMatch(REFUSED);

    writeFileSync(join(folder, 'deleted.txt'), 'no link id\n');
    expect(await cli(recover)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/these lines have none: 1\./) as unknown,
    });
    writeFileSync(join(folder, 'deleted.txt'), '');
    expect(await cli(recover)).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await cli('npm run -s cli -- app list');
    expect(stdout).toContain('Ledger');
    expect(stdout).not.toContain('Later');
  }, 300_000);

  it('find nothing to recover where nothing was restored', async () => {
    for (const line of [...commandsOf('Failover'), ...commandsOf('What the database cannot show')])
      expect({ line, ...(await cli(line)) }).toMatchObject({ line, status: 0, stderr: '' });
  }, 120_000);

  it('make the drill on a second database', async () => {
    const [createdb = '', restore = '', refused = '', recover = '', keys = '', dropdb = ''] =
      commandsOf('The drill');
    run(createdb);
    run(restore);
    expect((await cli(refused)).stderr).toMatch(REFUSED);
    expect(await cli(recover)).toMatchObject({ status: 0 });
    expect((await cli(keys)).stdout).toMatch(/k1/);
    run(dropdb);
  }, 300_000);
});
