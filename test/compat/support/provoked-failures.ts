import { randomUUID } from 'node:crypto';
import type { PlaidApi } from 'plaid';
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

/** Of an Item whose link is broken, read by a call that needs its institution. */
export async function failureOfBroken(
  service: PlaidService,
  errorCode: string,
  errorCause: string | null,
  call: 'accountsGet' | 'accountsBalanceGet' = 'accountsBalanceGet',
): Promise<PlaidFailure> {
  const { accessToken, linkId } = await linkItem(service);
  await forceLink(service.api, linkId, { state: 'error', errorCode });
  await service.api.database.prisma.link.update({ where: { linkId }, data: { errorCause } });
  return failureOf(service.plaid[call]({ access_token: accessToken }));
}

/** Makes one call more than the limit of a minute. */
export async function failureBeyond(
  limited: PlaidService,
  perMinute: number,
  call: (plaid: PlaidApi) => Promise<{ data: unknown }>,
): Promise<PlaidFailure> {
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
  perMinute: number,
  call: (plaid: PlaidApi, accessToken: string) => Promise<{ data: unknown }>,
  { inStrictWorld = false } = {},
): Promise<PlaidFailure> {
  const { accessToken, linkId } = await linkItem(limited);
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
  return failureBeyond(limited, perMinute, (plaid) => call(plaid, accessToken));
}
