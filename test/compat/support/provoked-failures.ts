import { randomUUID } from 'node:crypto';
import type { PlaidApi } from 'plaid';
import { CALL_LIMITS, type CallLimits, type LimitCode } from '../../../domain/plaid/call-limits.js';
import { forceLink } from '../../support/services/api-in-process.js';
import { failureOf, type PlaidFailure } from '../../support/actors/plaid-client.js';
import type { PlaidService } from '../../support/fixtures/plaid-service.js';
import { StoredItem } from '../../support/fixtures/stored-item.js';

/** The API without and with the rate limits of the layer. */
export interface CompatServices {
  readonly service: PlaidService;
  readonly limited: PlaidService;
}

export const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };

export const linkItem = ({ api }: PlaidService) => StoredItem.linked(api);

/** An Item of each service, for calls that only read it. */
const shared = new WeakMap<PlaidService, Promise<StoredItem>>();
export function sharedItem(service: PlaidService): Promise<StoredItem> {
  const item = shared.get(service) ?? linkItem(service);
  shared.set(service, item);
  return item;
}

/** An Item of each service whose link is broken in another way by each of its tests. */
const broken = new WeakMap<PlaidService, Promise<StoredItem>>();
function brokenItem(service: PlaidService): Promise<StoredItem> {
  const item = broken.get(service) ?? linkItem(service);
  broken.set(service, item);
  return item;
}

/** Of an Item whose link is broken, read by a call that needs its institution. */
export async function failureOfBroken(
  service: PlaidService,
  errorCode: string,
  errorCause: string | null,
  call: 'accountsGet' | 'accountsBalanceGet' = 'accountsBalanceGet',
): Promise<PlaidFailure> {
  const { accessToken, linkId } = await brokenItem(service);
  await forceLink(service.api, linkId, { state: 'error', errorCode });
  await service.api.database.prisma.link.update({ where: { linkId }, data: { errorCause } });
  return failureOf(service.plaid[call]({ access_token: accessToken }));
}

/** Lower limits, which fewer calls reach; long runs reach the default ones. */
const LOWER_LIMITS: Partial<CallLimits> = process.env['LONG_RUNS']
  ? {}
  : {
      ACCOUNTS_LIMIT: 2,
      AUTH_LIMIT: 2,
      IDENTITY_LIMIT: 2,
      ITEM_GET_LIMIT: 2,
      TRANSACTIONS_LIMIT: 2,
      TRANSACTIONS_SYNC_LIMIT: 2,
      INSTITUTIONS_GET_BY_ID_LIMIT: 2,
    };

/** The settings of a service with these limits. */
export const LIMITED = {
  RATE_LIMIT_COMPAT:
    Object.entries(LOWER_LIMITS)
      .map(([code, calls]) => `${code}=${calls}`)
      .join(',') || 'on',
  RATE_LIMIT_COMPAT_CLIENT: 'off',
};
/** All calls are of one minute, although a slow computer takes longer for 400. */
export const IN_ONE_MINUTE = { callClock: () => 0 };

/** Makes one call more than the limit of a minute. */
export async function failureBeyond(
  limited: PlaidService,
  code: LimitCode,
  call: (plaid: PlaidApi) => Promise<{ data: unknown }>,
): Promise<PlaidFailure> {
  const perMinute = LOWER_LIMITS[code] ?? CALL_LIMITS[code];
  for (let done = 0; done < perMinute; done += 10) {
    await Promise.all(
      Array.from({ length: Math.min(10, perMinute - done) }, async () =>
        call(limited.plaid).catch(() => undefined),
      ),
    );
  }
  return failureOf(call(limited.plaid));
}

export async function failureBeyondOfItem(
  limited: PlaidService,
  code: LimitCode,
  call: (plaid: PlaidApi, accessToken: string) => Promise<{ data: unknown }>,
  { inStrictWorld = false } = {},
): Promise<PlaidFailure> {
  // Each limit is counted for itself.
  const { accessToken, linkId } = await (inStrictWorld ? linkItem : sharedItem)(limited);
  if (inStrictWorld) {
    const { prisma } = limited.api.database;
    const { appId } = await prisma.link.update({
      where: { linkId },
      data: { worldId: 'wld_strict' },
    });
    await prisma.sandboxWorld.upsert({
      where: { appId_worldId: { appId, worldId: 'wld_strict' } },
      update: {},
      create: {
        appId,
        worldId: 'wld_strict',
        sourceRef: randomUUID(),
        name: 'strict',
        seed: 1n,
        enforceRefreshLimits: true,
      },
    });
  }
  return failureBeyond(limited, code, (plaid) => call(plaid, accessToken));
}
