import type { Tenant } from '../../domain/api/environment.js';
import type { PlaidSession } from '../../domain/plaid/plaid-session.js';
import type { SessionExit } from '../../domain/plaid/session-exit.js';
import type { Context } from '../context.js';
import { bytesColumn, sha256 } from '../database/bytes.js';
import { Prisma } from '../generated/client.js';
import { asJson } from '../database/json-column.js';
import { openPlaidToken, plaidSessionKey } from '../sealing/plaid-session-tokens.js';
import { tellSessionEnd } from '../events/announce-session-end.js';

/** plaid-compat 2: how long the tokens of a session can be shown after its end. */
const READABLE_MS = 6 * 3_600_000;
const FORGOTTEN_AT_ONCE = 100;

/** What became of a session of the compatibility layer. */
export interface PlaidSessionRecord {
  sessionId: string;
  plaid: PlaidSession;
  webhook: string | null;
  institutionId: string | null;
  createdAt: Date;
  expiresAt: Date;
  openedAt: Date | null;
  endedAt: Date | null;
  /** Where its user left it last; null = he is in it, or came to a success. */
  exit: SessionExit | null;
  /** Its link, where it came to a success. */
  result: { linkId: string; publicToken: string; at: Date } | null;
}

/** Sessions of the compatibility layer as their clients look at them later. */
export class PlaidSessionRepository {
  constructor(private readonly ctx: Context) {}

  /** Null for any other text, and when its time to be read is over. */
  async find(
    { appId, environment }: Tenant,
    linkToken: string,
  ): Promise<PlaidSessionRecord | null> {
    const row = await this.ctx.database.prisma.linkSession.findFirst({
      where: { tokenHash: bytesColumn(sha256(linkToken)), appId, environment },
      include: {
        link: { select: { linkId: true } },
        exchangeableTokens: { orderBy: { createdAt: 'asc' }, take: 1, select: { createdAt: true } },
      },
    });
    if (
      row === null ||
      row.plaid === null ||
      (row.endedAt !== null && row.endedAt.getTime() + READABLE_MS <= this.ctx.clock().getTime())
    )
      return null;
    const {
      sessionId,
      sealedPublicToken,
      link,
      exchangeableTokens: [first],
    } = row;
    const result =
      sealedPublicToken === null || link === null || first === undefined
        ? null
        : {
            linkId: link.linkId,
            publicToken: await openPlaidToken(
              this.ctx,
              sessionId,
              'sealed_public_token',
              sealedPublicToken,
            ),
            at: first.createdAt,
          };
    // Only LinkSessionRepository.create, noteExit and endSession write these columns.
    return {
      ...row,
      plaid: row.plaid as unknown as PlaidSession,
      exit: result === null ? (row.plaidExit as unknown as SessionExit | null) : null,
      result,
    };
  }

  /** The user left a session, which lives on; of a hosted one its client is told. Source: plaid-compat 7, 8.1. */
  async noteExit(sessionId: string, exit: SessionExit): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const noted = await tx.linkSession.updateMany({
        where: { sessionId, plaidExit: { equals: Prisma.DbNull } },
        data: { plaidExit: asJson(exit) },
      });
      if (noted.count > 0) await tellSessionEnd(this.ctx, tx, sessionId, null);
    });
  }
}

/** Erases the tokens of sessions that ended long enough ago; answers how many sessions lost theirs. */
export async function forgetPlaidTokens(ctx: Context, now: Date): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const rows = await tx.linkSession.findMany({
      where: {
        sealedLinkToken: { not: null },
        endedAt: { lte: new Date(now.getTime() - READABLE_MS) },
      },
      select: { sessionId: true },
      take: FORGOTTEN_AT_ONCE,
    });
    for (const { sessionId } of rows) {
      await ctx.sealer.eraseKey(tx, plaidSessionKey(sessionId));
      await tx.linkSession.update({
        where: { sessionId },
        data: { sealedLinkToken: null, sealedPublicToken: null },
      });
    }
    return rows.length;
  });
}
