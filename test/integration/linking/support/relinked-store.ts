import { connectedLink, shown, store, TENANT } from '../../../support/fixtures/linking-store.js';

export const SUCCESS = (seq = 5) => shown(seq, { kind: 'success' });
export const storedLink = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: {
      products: { orderBy: { position: 'asc' } },
      accounts: { orderBy: { position: 'asc' } },
      credential: true,
    },
  });

/** A connected link that needs its owner. */
export async function brokenLink(over = {}) {
  const connected = await connectedLink(store, over);
  await store.links.reset(TENANT, connected.linkId);
  return connected;
}
