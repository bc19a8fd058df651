import type { Tenant } from '../../../domain/api/environment.js';
import type { LinkSessionFacts } from '../../../domain/session/present-link-session.js';
import type { Context } from '../../base/context.js';
import type { Prisma } from '../../generated/client.js';
import { permittedSessions } from '../../tenants/applications/permitted-rows.js';
import { openSessionToken } from '../../base/sealing/session-tokens.js';
import { FACTS, factsOf } from './session-facts.js';
import {
  listSessions,
  type SessionFilter,
  type SessionPage,
  type SessionPageRequest,
} from './session-list.js';

const READ = {
  ...FACTS,
  sealedPublicToken: true,
  webhookFormat: true,
  link: { select: { linkId: true, state: true, exchangeExpiresAt: true } },
} satisfies Prisma.LinkSessionSelect;
type ReadSession = Prisma.LinkSessionGetPayload<{ select: typeof READ }>;

export interface SessionReading {
  session: LinkSessionFacts;
  /** Of a hosted session, while it can be exchanged; null otherwise. */
  exchangeableToken: string | null;
}

/** Link sessions as their app sees them. Every query is scoped by the tenant. Source: native-api 3.3. */
export class LinkSessionReader {
  constructor(private readonly ctx: Context) {}

  async find(tenant: Tenant, sessionId: string): Promise<SessionReading | null> {
    const row = await this.ctx.database.prisma.linkSession.findFirst({
      where: { AND: [{ sessionId }, permittedSessions(tenant)] },
      select: READ,
    });
    return row === null
      ? null
      : { session: factsOf(row), exchangeableToken: await this.exchangeableToken(row) };
  }

  list(tenant: Tenant, filter: SessionFilter, request: SessionPageRequest): Promise<SessionPage> {
    return listSessions(this.ctx, tenant, filter, request);
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
