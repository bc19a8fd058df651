import type { Database } from '../database/database.js';
import { Prisma, type UnrevokedPermission } from '../generated/client.js';

const LAST_EVENTS = 20;

const REPORTED = {
  products: { orderBy: { position: 'asc' } },
  sessions: {
    select: { sessionId: true, beganAs: true, state: true },
    orderBy: { createdAt: 'asc' },
  },
} satisfies Prisma.LinkInclude;

/** One event of a link and how its newest delivery stands. */
export type ReportedEvent = Prisma.WebhookEventGetPayload<{ include: { deliveries: true } }>;

export interface LinkReport {
  link: Prisma.LinkGetPayload<{ include: typeof REPORTED }>;
  /** Newest first. */
  events: ReportedEvent[];
  /** Permissions that were erased here and never ended at the bank. */
  unrevoked: UnrevokedPermission[];
}

/** A link as its operator sees it, whoever owns it. Never for a caller of the API: it is not scoped by a tenant. */
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
  return { link, events, unrevoked };
}
