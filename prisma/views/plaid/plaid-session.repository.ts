import type { Tenant } from '../../../domain/api/environment.js';
import type { PlaidSession } from '../../../domain/plaid/plaid-session.js';
import type { SessionExit } from '../../../domain/session/session-exit.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { permittedSessions } from '../../tenants/applications/permitted-rows.js';
import { openSessionToken, sessionTokensKey } from '../../base/sealing/session-tokens.js';

/** plaid-compat 2: the time for which the tokens of a session stay readable after its end. */
const READABLE_MS = 6 * 3_600_000;
const BATCH_SIZE = 100;

/** A session of the compatibility layer, for `/link/token/get`. */
export interface PlaidSessionRecord {
  sessionId: string;
  plaid: PlaidSession;
  webhook: string | null;
  institutionId: string | null;
  createdAt: Date;
  expiresAt: Date;
  openedAt: Date | null;
  endedAt: Date | null;
  /** The step at which the user last left it; null = the user is in it, or it succeeded. */
  exit: SessionExit | null;
  /** The link it created or repaired, if it succeeded. */
  result: { linkId: string; publicToken: string; at: Date } | null;
}

export class PlaidSessionRepository {
  constructor(private readonly ctx: Context) {}

  /** Null for a token that is unknown, belongs to another tenant, or is no longer readable. */
  async find(tenant: Tenant, linkToken: string): Promise<PlaidSessionRecord | null> {
    const row = await this.ctx.database.prisma.linkSession.findFirst({
      where: {
        AND: [{ tokenHash: bytesColumn(sha256(linkToken)) }, permittedSessions(tenant)],
      },
      include: {
        link: { select: { linkId: true } },
        exchangeableTokens: { orderBy: { createdAt: 'asc' }, take: 1, select: { createdAt: true } },
      },
    });
    if (
      row === null ||
      row.options === null ||
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
            publicToken: await openSessionToken(
              this.ctx,
              sessionId,
              'sealed_public_token',
              sealedPublicToken,
            ),
            at: first.createdAt,
          };
    // Every session with options is created from a PlaidSession. Only noteExit and endSession write `exit`.
    return {
      ...row,
      plaid: row.options as unknown as PlaidSession,
      exit: result === null ? (row.exit as unknown as SessionExit | null) : null,
      result,
    };
  }
}

/**
 * Erases the tokens of sessions that are no longer readable. Returns the number of sessions that
 * lost theirs.
 */
export async function forgetPlaidTokens(ctx: Context, now: Date): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const rows = await tx.linkSession.findMany({
      where: {
        OR: [{ sealedLinkToken: { not: null } }, { sealedPublicToken: { not: null } }],
        endedAt: { lte: new Date(now.getTime() - READABLE_MS) },
      },
      select: { sessionId: true },
      take: BATCH_SIZE,
    });
    for (const { sessionId } of rows) {
      await ctx.sealer.eraseKey(tx, sessionTokensKey(sessionId));
      await tx.linkSession.update({
        where: { sessionId },
        data: { sealedLinkToken: null, sealedPublicToken: null },
      });
    }
    return rows.length;
  });
}
