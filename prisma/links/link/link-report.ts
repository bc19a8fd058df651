import type { Database } from '../../base/database/database.js';
import { Prisma, type UnrevokedPermission } from '../../generated/client.js';

const LAST_EVENTS = 20;

const REPORTED = {
  products: { orderBy: { position: 'asc' } },
  sessions: {
    select: { sessionId: true, beganAs: true, openedAt: true, state: true },
    orderBy: { createdAt: 'asc' },
  },
} satisfies Prisma.LinkInclude;

/** An event of a link, with the status of its newest delivery. */
export type ReportedEvent = Prisma.WebhookEventGetPayload<{ include: { deliveries: true } }>;

export interface LinkReport {
  link: Prisma.LinkGetPayload<{ include: typeof REPORTED }>;
  /** The adapter of its provider. */
  adapter: string;
  /** Newest first. */
  events: ReportedEvent[];
  /** Permissions that were erased here but never revoked at the bank. */
  unrevoked: UnrevokedPermission[];
}

/** An operator's view of a link. Not scoped by a tenant, so it must never serve an API call. */
export async function reportLink({ prisma }: Database, linkId: string): Promise<LinkReport | null> {
  const link = await prisma.link.findUnique({ where: { linkId }, include: REPORTED });
  if (link === null) return null;
  const events = await prisma.webhookEvent.findMany({
    where: { linkId },
    include: { deliveries: { orderBy: { pk: 'desc' }, take: 1 } },
    orderBy: { pk: 'desc' },
    take: LAST_EVENTS,
  });
  const unrevoked = await prisma.unrevokedPermission.findMany({
    where: { linkId },
    orderBy: { pk: 'asc' },
  });
  const configuration = await prisma.providerConfiguration.findUnique({
    where: { name: link.provider },
    select: { adapter: true },
  });
  return { link, adapter: configuration?.adapter ?? link.provider, events, unrevoked };
}
