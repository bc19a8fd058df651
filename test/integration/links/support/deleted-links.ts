import { RevocationRepository } from '../../../../prisma/sources/permissions/revocation.repository.js';
import { MINUTE, openStores, type Store } from '../../../support/fixtures/linking-store.js';

export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export let store: Store;
export let revocations: RevocationRepository;

/** Opens a store for each test, for links and the permissions that are revoked. */
export function openLinks(): void {
  openStores((opened) => {
    store = opened;
    revocations = new RevocationRepository(store.ctx);
  });
}

export const prisma = () => store.ctx.database.prisma;
export const left = async (linkId: string) => (await revocations.plan(linkId))?.revocations ?? [];
export const opened = async (linkId: string) =>
  Promise.all(
    (await left(linkId)).map(async ({ revocationId }) =>
      Buffer.from((await revocations.beginAttempt(revocationId))?.credential ?? []).toString(),
    ),
  );
export const keys = async () =>
  (await prisma().dataKey.findMany()).map(({ owner }) => owner.split('/')[0]);
export const commands = async () =>
  (await prisma().outboxCommand.findMany({ where: { kind: 'startLinkDeletion' } })).map(
    ({ payload }) => (payload as { linkId: string }).linkId,
  );
