import { LinkRepository } from '../../../prisma/links/link/link.repository.js';
import { removeUnusedSecurities } from '../../../prisma/links/investments/remove-unused-securities.js';
import { UserErasureRepository } from '../../../prisma/views/users/user-erasure.repository.js';
import { removeErasedLinks } from '../../../prisma/worlds/erased-links.js';
import { WorldRepository } from '../../../prisma/worlds/world.repository.js';
import {
  holding,
  listHoldings,
  security,
  shownHoldings,
} from '../../support/fixtures/listed-holdings.js';
import {
  storage,
  storageOfFile,
  storeLink,
  TENANT,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

storageOfFile();
beforeEach(async () => {
  await prisma().link.deleteMany();
  // They do not end with the row of their link.
  await prisma().investmentTransactionVersion.deleteMany();
  await prisma().security.deleteMany();
});

const prisma = () => storage.ctx.database.prisma;
const SHARED = holding('shared', { security: security({ symbol: 'SHARED' }) });
const ALONE = holding('alone', { security: security({ symbol: 'ALONE' }) });
const PRIVATE = holding('fund', { security: security({ symbol: null, name: 'Fund of Ann' }) });

/** A link with a shared security, one that it alone has, and a private fund; and a trade and a debt. */
async function investor(held = [SHARED, ALONE, PRIVATE]): Promise<StoredLink> {
  const link = await storeLink(storage, { products: ['accounts', 'investments'] });
  await listHoldings(storage, link, held);
  const { accountId = '', pk: accountPk = 0n } =
    (await prisma().account.findFirst({ where: { linkPk: link.pk } })) ?? {};
  await prisma().investmentTransactionVersion.create({
    data: {
      linkPk: link.pk,
      seq: 1n,
      firstSeq: 1n,
      bornPending: false,
      removed: false,
      transactionId: `itx_${link.pk}`,
      accountId,
      providerTransactionId: 'trade',
      date: new Date('2026-03-04'),
      pending: false,
      contentHash: Buffer.alloc(32),
      body: '{}',
    },
  });
  await prisma().liability.create({ data: { accountPk, body: '{}', updatedAt: new Date() } });
  return link;
}

/** The symbols of the stored securities, in order; null = none. */
const names = async () => [...(await securities()).keys()].sort();

async function securities() {
  const stored = await prisma().security.findMany();
  const symbolOf = ({ facts }: (typeof stored)[number]) =>
    (JSON.parse(facts) as { symbol: string | null }).symbol;
  return new Map(stored.map((row) => [symbolOf(row), row]));
}

async function rows(): Promise<Record<string, number>> {
  return {
    holdings: await prisma().holding.count(),
    accounts: await prisma().holdingsAccount.count(),
    days: await prisma().holdingDay.count(),
    trades: await prisma().investmentTransactionVersion.count(),
    debts: await prisma().liability.count(),
  };
}
const ONE_LINK = { holdings: 1, accounts: 1, days: 1, trades: 1, debts: 1 };

describe('The deletion of a link', () => {
  it('erases holdings, history, trades and debts, and the securities that no other link has', async () => {
    const [link, other] = [await investor(), await investor([SHARED])];
    const before = await shownHoldings(storage, other);
    await new LinkRepository(storage.ctx).delete(TENANT, link.linkId);
    expect(await names()).toEqual(['SHARED']);
    expect(await rows()).toEqual(ONE_LINK);
    expect(await shownHoldings(storage, other)).toEqual(before);
  });

  it('keeps a security that only a trade of another link names', async () => {
    const [link, other] = [await investor([ALONE]), await investor([SHARED])];
    const { securityId } = await prisma().security.findFirstOrThrow();
    await prisma().investmentTransactionVersion.updateMany({
      where: { linkPk: other.pk },
      data: { securityId },
    });
    await new LinkRepository(storage.ctx).delete(TENANT, link.linkId);
    expect(await names()).toEqual(['ALONE', 'SHARED']);
  });
});

describe('The erasure of a user', () => {
  it('erases investments and debts of every link of the user', async () => {
    const [link, other] = [await investor(), await investor([SHARED])];
    const { customerUser } = await prisma().link.findUniqueOrThrow({
      where: { pk: link.pk },
      select: { customerUser: true },
    });
    const erasures = new UserErasureRepository(storage.ctx);
    await erasures.request(TENANT, customerUser?.userId ?? '');
    const { erasureId } = await prisma().userErasure.findFirstOrThrow();
    while ((await erasures.advance(erasureId)) === 'more');
    expect(await names()).toEqual(['SHARED']);
    expect(await rows()).toEqual(ONE_LINK);
    expect((await shownHoldings(storage, other)).holdings).toHaveLength(1);
  });
});

describe('The deletion of a world', () => {
  it('erases investments and debts with its links, and leaves securities to the next walk', async () => {
    const [link] = [await investor(), await investor([SHARED])];
    const world = { appId: TENANT.appId, worldId: 'wld_erased' };
    await prisma().sandboxWorld.create({
      data: { ...world, sourceRef: 'erased', name: '', seed: 7n, now: new Date() },
    });
    await prisma().link.update({ where: { pk: link.pk }, data: { worldId: world.worldId } });
    expect(await new WorldRepository(storage.ctx).erase(world)).toBe(true);
    await removeErasedLinks(storage.ctx, { batches: 10 });
    expect(await rows()).toEqual(ONE_LINK);
    await removeUnusedSecurities(storage.ctx, { after: 0n, limit: 100 });
    expect(await names()).toEqual(['SHARED']);
  });
});

describe('The walk through securities', () => {
  const walk = async (limit: number) => {
    const removed: number[] = [];
    for (let after: bigint | null = 0n; after !== null;) {
      const step = await removeUnusedSecurities(storage.ctx, { after, limit });
      removed.push(step.removed);
      after = step.next;
    }
    return removed;
  };

  it('keeps what holdings and trades have, and what was merged into it', async () => {
    const link = await investor([SHARED, ALONE, PRIVATE]);
    const known = await securities();
    const [shared, alone] = [known.get('SHARED'), known.get('ALONE')];
    await prisma().holding.deleteMany({ where: { securityPk: alone?.pk } });
    await prisma().security.update({
      where: { pk: alone?.pk },
      data: { mergedInto: shared?.securityId },
    });
    expect(await walk(2)).toEqual([0, 0, 0]);
    await prisma().holding.deleteMany({ where: { account: { linkPk: link.pk } } });
    await prisma().investmentTransactionVersion.updateMany({
      data: { securityId: shared?.securityId },
    });
    // The private fund alone: its holding is gone.
    expect(await walk(2)).toEqual([0, 1, 0]);
    expect(await names()).toEqual(['ALONE', 'SHARED']);
  });

  it('removes what nothing has, a bounded number in each step', async () => {
    await investor([SHARED, ALONE, PRIVATE]);
    await prisma().holding.deleteMany();
    expect(await walk(2)).toEqual([2, 1, 0]);
    expect(await rows()).toMatchObject({ holdings: 0 });
  });
});
