import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { SCOPES } from '../../../domain/api/scopes.js';
import { filledDetails } from './filled-details.js';
import { addDays } from '../../../domain/api/timestamps.js';
import { AccessTokenRepository } from '../../../prisma/tenants/applications/access-token.repository.js';
import {
  beginFetch,
  fetchRows,
  openStorage,
  row,
  storeLink,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const LINKS = 20;
const ROWS = 600;

export interface ReadData {
  storage: Storage;
  databaseUrl: string;
  link: StoredLink;
  accessToken: string;
}

/**
 * Links with owners and 600 transactions each, all current, so that the first page of a sync is
 * full.
 */
export async function storeReadData(): Promise<ReadData> {
  const storage = await openStorage();
  const links: StoredLink[] = [];
  for (let index = 0; index < LINKS; index += 1) {
    const link = await storeLink(storage, { products: ['accounts', 'identity', 'transactions'] });
    links.push(link);
    await fetchRows(
      storage,
      link,
      Array.from({ length: ROWS }, (_, number) =>
        row(`row-${number}`, {
          amount: new Decimal(number).dividedBy(100),
          date: addDays('2026-01-01', number % 300),
          description: `Shop ${number}`,
          rawDescription: `POS ${number} SHOP ${randomUUID()}`,
          providerAccountId: number % 3 === 0 ? 'card' : 'checking',
          ...filledDetails(number),
        }),
      ),
    );
    const owners = [
      {
        names: ['Robin Example'],
        addresses: [],
        phoneNumbers: [],
        emails: [{ address: 'robin@example.test', primary: true }],
      },
    ];
    await storage.refresh.storeIdentity(
      link.linkId,
      await beginFetch(storage, link, 'identity'),
      ['checking', 'card'].map((providerAccountId) => ({ providerAccountId, owners })),
    );
  }
  await storage.ctx.database.pool.query('VACUUM ANALYZE');
  const clientId = `${TENANT.environment}_${TENANT.appId}`;
  const { token } = await new AccessTokenRepository(storage.ctx).issue({
    clientId,
    secretId: 'sec_bench',
    scopes: SCOPES,
    ttlMs: 3_600_000,
  });
  const [link] = links;
  const databaseUrl = storage.ctx.database.pool.options.connectionString;
  if (link === undefined || databaseUrl === undefined) throw new Error('nothing was stored');
  return { storage, databaseUrl, link, accessToken: token };
}
