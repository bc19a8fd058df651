import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeId } from '../../../domain/api/ids.js';
import { recover } from '../../../prisma/operations/recovery/recover.js';
import { runCommand } from '../../support/actors/operator.js';
import {
  beginFetch,
  fetchRows,
  openStorage,
  row,
  storageIn,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { copyDatabase } from '../../support/services/embedded-services.js';
import { NOTHING_HELD, readAll } from './restored-link.js';

const LINKS = 3;

interface Report {
  recovered: boolean;
  differences?: string[];
  links?: number;
  deleted?: number;
  already_deleted?: number;
  unknown?: string[];
  requested_again?: Record<string, number>;
}

describe('operator recover', () => {
  let original: Storage;
  let links: StoredLink[];
  const folder = mkdtempSync(join(tmpdir(), 'recover-'));
  const open: Storage[] = [];
  beforeAll(async () => {
    original = await openStorage();
    links = [];
    for (let count = 0; count < LINKS; count += 1) links.push(await storeLink(original));
    for (const link of links) await fetchRows(original, link, [row('first')]);
    // A refresh that was in progress when the backup was taken.
    await beginFetch(original, links[2] as StoredLink, 'accounts', 'on_demand');
    // The worker has started its workflows.
    await original.ctx.database.prisma.outboxCommand.deleteMany();
  });
  afterEach(async () => {
    for (const storage of open.splice(0)) await storage.close();
  });
  afterAll(async () => {
    await original.close();
    rmSync(folder, { recursive: true });
  });

  async function restore(): Promise<Storage> {
    const storage = storageIn(await copyDatabase(original.url), {
      masterKey: original.masterKey,
      anyIdentity: true,
    });
    open.push(storage);
    return storage;
  }
  const environmentOf = ({ url, masterKey }: Storage) => ({
    DATABASE_URL: url,
    MASTER_KEYS: `test:${masterKey.toString('base64')}`,
  });
  async function runRecover(storage: Storage, ...args: string[]): Promise<Report> {
    const { status, stdout, stderr } = await runCommand(
      ['recover', '--json', ...args],
      environmentOf(storage),
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Report;
  }
  const fileOf = (...lines: string[]): string => {
    const file = join(folder, 'deleted.txt');
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  const headsOf = async ({ ctx }: Storage) =>
    (await ctx.database.prisma.link.findMany({ orderBy: { pk: 'asc' } })).map(
      ({ headSeq }) => headSeq,
    );

  it('repeats deletions, requests unfinished refreshes again and reports both', async () => {
    const storage = await restore();
    const [gone] = links as [StoredLink];
    const later = makeId('link', original.ctx.random);
    const report = await runRecover(storage, '--deleted', fileOf(gone.linkId, '', later));
    expect(report).toMatchObject({
      recovered: true,
      differences: ['database'],
      links: LINKS,
      deleted: 1,
      already_deleted: 0,
      unknown: [later],
      requested_again: { refreshes: 1 },
    });
    const { prisma } = storage.ctx.database;
    expect(await prisma.link.findUnique({ where: { linkId: gone.linkId } })).toMatchObject({
      state: 'deleted',
    });
    const commands = await prisma.outboxCommand.findMany({
      where: { kind: 'startProductRefresh' },
    });
    expect(commands.map(({ payload }) => payload)).toEqual([
      { linkId: (links[2] as StoredLink).linkId, overdue: true },
    ]);
    const recorded = await prisma.operatorAction.findMany({ orderBy: { pk: 'asc' } });
    expect(recorded.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'recover started',
      'recover succeeded',
    ]);
    expect(recorded[0]?.subject).toContain('--deleted');
  });

  it('reports that there is nothing to recover on the database that the service wrote to', async () => {
    const { status, stdout } = await runCommand(['recover'], environmentOf(original));
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'There is nothing to recover: this is the database that the service wrote to.\n',
    });
  });

  it('recovers a restored disk, which keeps its identity, when requested', async () => {
    const storage = await restore();
    await runRecover(storage);
    const before = await headsOf(storage);
    expect(await runRecover(storage, '--restored')).toMatchObject({
      differences: [],
      links: LINKS,
    });
    (await headsOf(storage)).forEach((head, index) =>
      expect(head).toBeGreaterThan(before[index] as bigint),
    );
  });

  it('only adopts the database after a failover that lost nothing', async () => {
    const storage = await restore();
    const before = await headsOf(storage);
    expect(await runRecover(storage, '--nothing-lost')).toEqual({
      recovered: true,
      differences: ['database'],
    });
    expect(await headsOf(storage)).toEqual(before);
    expect(await runRecover(storage)).toEqual({ recovered: false });
  });

  it('names each line of the file that is not a link id, and changes nothing', async () => {
    const storage = await restore();
    const file = fileOf((links[0] as StoredLink).linkId, 'mk_short', '', 'acc_2');
    const { status, stderr } = await runCommand(
      ['recover', '--deleted', file],
      environmentOf(storage),
    );
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${file} must have one link id (mk_…) a line. Nothing was changed; these lines have none: 2, 4.\n`,
    );
    const recorded = await storage.ctx.database.prisma.operatorAction.findMany();
    expect(recorded.filter(({ subject }) => subject.includes('deleted'))).toEqual([]);
    expect(await storage.ctx.database.prisma.voidPositions.count()).toBe(0);
  });

  it('lets no other command write before it has run, and such commands explain it in one line', async () => {
    const storage = await restore();
    const { status, stderr } = await runCommand(
      ['apps', 'create', '--name', 'Early'],
      environmentOf(storage),
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^This is not the database that the service wrote to: .*operator recover.*\n$/,
    );
    expect(await storage.ctx.database.prisma.application.count()).toBe(1);
  });

  it('never assigns the number of a row a second time', async () => {
    const storage = await restore();
    // Data that the service wrote after the backup, and that is lost.
    const lost = await storeLink(original);
    await runRecover(storage);
    expect((await storeLink(storage)).pk).toBeGreaterThan(lost.pk);
  });

  it('has recovered everything after it stopped at any commit and was run again', async () => {
    const deletedLinkIds = [(links[0] as StoredLink).linkId];
    for (let commits = 0; ; commits += 1) {
      const storage = await restore();
      const { database } = storage.ctx;
      let left = commits;
      // This is like killing the process: committed changes stay, and nothing else happens.
      const dying: typeof database.transaction = (work) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return database.transaction(work);
      };
      const wasKilled = await recover(
        { ...storage.ctx, database: { ...database, transaction: dying } },
        { deletedLinkIds },
      ).then(
        () => false,
        (error: Error) => error.message === 'killed',
      );
      const service = storageIn({ url: storage.url, drop: async () => undefined });
      if (wasKilled) {
        await expect(service.ctx.database.checkIdentity()).rejects.toThrow('operator recover');
        await recover(storage.ctx, { deletedLinkIds });
      }
      await service.ctx.database.checkIdentity();
      const [deleted, kept] = await service.ctx.database.prisma.link.findMany({
        orderBy: { pk: 'asc' },
      });
      await service.close();
      expect(deleted?.state).toBe('deleted');
      expect(kept?.headSeq).toBeGreaterThan(2n ** 32n);
      await fetchRows(storage, links[1] as StoredLink, [row('first'), row('second')]);
      const read = await readAll(storage, links[1] as StoredLink, NOTHING_HELD);
      expect(read?.rows.size).toBe(2);
      if (!wasKilled) return expect(commits).toBeGreaterThan(5);
      await open.pop()?.close();
    }
  });
});
