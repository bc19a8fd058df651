import { utcDay } from '../../../domain/api/timestamps.js';
import { thinHoldingDays } from '../../../prisma/links/investments/thin-holding-days.js';
import { holding, listHoldings, shownHoldings } from '../../support/fixtures/listed-holdings.js';
import {
  openStorage,
  storeLink,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const DAY = 86_400_000;
const RETENTION = 731 * DAY;
const ALL = { accounts: 100, days: 1_000 };

let storage: Storage;
let now = Date.parse('2024-01-01T00:00:00Z');
beforeAll(async () => {
  storage = await openStorage(() => new Date(now));
});
afterAll(() => storage?.close());
beforeEach(() => prisma().link.deleteMany());

const prisma = () => storage.ctx.database.prisma;
const newLink = () => storeLink(storage, { products: ['accounts', 'investments'] });

/** The same holding with another value on each of these days. */
async function history(link: StoredLink, days: readonly string[]): Promise<void> {
  for (const [index, day] of days.entries()) {
    now = Date.parse(`${day}T12:00:00Z`);
    await listHoldings(storage, link, [holding('a', { value: `${index + 1}` })]);
  }
}

async function keptDays({ pk }: StoredLink): Promise<string[]> {
  const rows = await prisma().holdingDay.findMany({
    where: { ofAccount: { linkPk: pk } },
    orderBy: { day: 'asc' },
  });
  return rows.map(({ day }) => utcDay(day));
}

const thin = (limits: Partial<typeof ALL> & { after?: bigint } = {}) =>
  thinHoldingDays(storage.ctx, new Date(now), RETENTION, { after: 0n, ...ALL, ...limits });

const DAYS = ['2024-01-10', '2024-01-31', '2024-02-01', '2024-02-15', '2024-03-01', '2024-03-04'];

describe('HOLDING_DAYS_RETENTION', () => {
  it('keeps every day of the time set, and of earlier months the last day alone', async () => {
    const link = await newLink();
    await history(link, DAYS);
    // 731 days after 1 March: that day is the first to be kept in any case.
    now = Date.parse('2026-03-02T00:00:00Z');
    expect(await thin()).toMatchObject({ removed: 2 });
    expect(await keptDays(link)).toEqual(['2024-01-31', '2024-02-15', '2024-03-01', '2024-03-04']);
    now += DAY;
    expect(await thin()).toMatchObject({ removed: 1 });
    expect(await keptDays(link)).toEqual(['2024-01-31', '2024-02-15', '2024-03-04']);
    expect(await thin()).toMatchObject({ removed: 0 });
  });

  it('leaves for each past day the newest kept one before it', async () => {
    const link = await newLink();
    await history(link, DAYS);
    now = Date.parse('2027-01-01T00:00:00Z');
    await thin();
    const valueOn = async (on: string) =>
      (await shownHoldings(storage, link, { on })).holdings.map(({ value }) => value);
    expect(await valueOn('2024-01-20')).toEqual([]);
    expect(await valueOn('2024-02-10')).toEqual([2]);
    expect(await valueOn('2024-02-20')).toEqual([4]);
    expect(await valueOn('2026-12-31')).toEqual([6]);
  });

  it('never removes the only state of an account, however old', async () => {
    const link = await newLink();
    await history(link, ['2020-05-05']);
    now = Date.parse('2030-01-01T00:00:00Z');
    expect(await thin()).toMatchObject({ removed: 0 });
    expect(await keptDays(link)).toEqual(['2020-05-05']);
  });

  it('follows the clock of the world of each link', async () => {
    const [link, inWorld] = [await newLink(), await newLink()];
    await history(link, DAYS);
    await history(inWorld, DAYS);
    const world = { appId: TENANT.appId, worldId: 'wld_slow', sourceRef: 'slow', name: '' };
    await prisma().sandboxWorld.create({
      data: { ...world, seed: 7n, now: new Date('2024-03-05T00:00:00Z') },
    });
    await prisma().link.update({ where: { pk: inWorld.pk }, data: { worldId: world.worldId } });
    now = Date.parse('2027-01-01T00:00:00Z');
    await thin();
    expect(await keptDays(inWorld)).toEqual(DAYS);
    expect(await keptDays(link)).toHaveLength(3);
  });

  it('walks through the accounts in bounded steps until none remains', async () => {
    const links = [await newLink(), await newLink(), await newLink()];
    for (const link of links) await history(link, DAYS.slice(0, 4));
    now = Date.parse('2027-01-01T00:00:00Z');
    const removed: number[] = [];
    for (let after: bigint | null = 0n; after !== null;) {
      const step = await thin({ after, accounts: 2, days: 1 });
      removed.push(step.removed);
      after = step.next;
    }
    expect(removed).toEqual([2, 1, 0]);
    await thin();
    for (const link of links) expect(await keptDays(link)).toEqual(['2024-01-31', '2024-02-15']);
  });
});
