import type { Tenant } from '../../domain/api/environment.js';
import type { LinkSessionFacts } from '../../domain/session/present-link-session.js';
import { isHosted } from '../../domain/session/session-options.js';
import type { Context } from '../context.js';
import type { Prisma } from '../generated/client.js';
import { openSessionToken } from '../sealing/session-tokens.js';
import { toSession } from './session-record.js';

const READ = {
  customerUser: true,
  link: { select: { linkId: true, state: true, exchangeExpiresAt: true } },
} satisfies Prisma.LinkSessionInclude;
type ReadSession = Prisma.LinkSessionGetPayload<{ include: typeof READ }>;

export interface SessionReading {
  session: LinkSessionFacts;
  /** Of a hosted session, while it can be exchanged; null otherwise. */
  exchangeableToken: string | null;
}

/** Link sessions as their app sees them. Every query is scoped by the tenant. Source: native-api 3.3. */
export class LinkSessionReader {
  constructor(private readonly ctx: Context) {}

  async find({ appId, environment }: Tenant, sessionId: string): Promise<SessionReading | null> {
    const row = await this.ctx.database.prisma.linkSession.findFirst({
      where: { sessionId, appId, environment },
      include: READ,
    });
    return row === null
      ? null
      : { session: toFacts(row), exchangeableToken: await this.exchangeableToken(row) };
  }

  private async exchangeableToken({
    sessionId,
    sealedPublicToken: sealed,
    webhookFormat,
    link,
  }: ReadSession): Promise<string | null> {
    const isExchangeable =
      webhookFormat === 'native' &&
      link?.state === 'awaiting_token_exchange' &&
      link.exchangeExpiresAt !== null &&
      link.exchangeExpiresAt > this.ctx.clock();
    return sealed === null || !isExchangeable
      ? null
      : openSessionToken(this.ctx, sessionId, 'sealed_public_token', sealed);
  }
}

function toFacts(row: ReadSession): LinkSessionFacts {
  const session = toSession(row);
  const { options } = session;
  return {
    ...session,
    hosted: isHosted(session)
      ? { returnUrl: options?.hosted?.completionRedirectUri ?? null }
      : null,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  };
}
