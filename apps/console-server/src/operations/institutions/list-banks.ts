import { routeHealth } from '../../../../../domain/institutions/route-health.js';
import {
  findBankIds,
  listBankIds,
  listFailingRoutes,
  type StoredHealth,
} from '../../../../../prisma/sources/institutions/list-banks.js';
import { operation, type ConsoleParts } from '../operation.js';
import { cutPage, PAGE_SIZE } from '../page-size.js';
import { BankListInput, type BankPage } from './institution-shapes.js';
import { showBanks } from './present-bank.js';

type Asked = Pick<ConsoleParts, 'service' | 'now'>;

/** The ids of a page. */
interface Found {
  ids: string[];
  next: string | null;
  isCut?: boolean;
}

export const LIST_BANKS = operation({
  call: 'GET /instance/banks',
  roles: ['operator'],
  level: 'read',
  input: BankListInput,
  run: async (parts, { name, health, cursor: after = '' }): Promise<BankPage> => {
    const found =
      health === 'bad'
        ? await failing(parts, after, name)
        : name === undefined
          ? await all(parts, after)
          : await named(parts, name);
    const { ids, next, isCut = false } = found;
    return { banks: await showBanks(parts, ids), next_cursor: next, is_cut: isCut };
  },
});

async function all({ service }: Asked, after: string): Promise<Found> {
  const read = await listBankIds(service.database, { after, limit: PAGE_SIZE + 1 });
  const { rows, next } = cutPage(read, PAGE_SIZE, (id) => id);
  return { ids: rows, next };
}

async function named({ service }: Asked, name: string): Promise<Found> {
  const ids = await findBankIds(service.database, name);
  return { ids: ids.slice(0, PAGE_SIZE), next: null, isCut: ids.length > PAGE_SIZE };
}

/** Routes that are read for a page: the counts of some have decayed, and each bank may have several. */
const MAX_READ = 10 * PAGE_SIZE;

async function failing(parts: Asked, after: string, name: string | undefined): Promise<Found> {
  const { service, now } = parts;
  const read = await listFailingRoutes(service.database, { after, limit: MAX_READ + 1 });
  const banks = byBank(read);
  // More routes of the last bank may follow.
  const complete = read.length > MAX_READ && banks.length > 1 ? banks.slice(0, -1) : banks;
  const wanted = name === undefined ? null : new Set(await findBankIds(service.database, name));
  const ids: string[] = [];
  let last: string | null = null;
  for (const [institutionId, routes] of complete) {
    if (ids.length === PAGE_SIZE) return { ids, next: last };
    last = institutionId;
    if (wanted !== null && !wanted.has(institutionId)) continue;
    if (isFailing(routes, now())) ids.push(institutionId);
  }
  return { ids, next: read.length > MAX_READ ? last : null };
}

const isFailing = (routes: readonly StoredHealth[], now: Date): boolean =>
  routes.some((route) => routeHealth([route], now) !== 'operational');

/** The routes come in the order of their banks. */
function byBank(routes: readonly StoredHealth[]): [institutionId: string, StoredHealth[]][] {
  const banks: [string, StoredHealth[]][] = [];
  for (const route of routes) {
    const last = banks.at(-1);
    if (last?.[0] === route.institutionId) last[1].push(route);
    else banks.push([route.institutionId, [route]]);
  }
  return banks;
}
