import { PRODUCTS, type Product } from '../../domain/link/products.js';
import type { Context } from '../context.js';
import { endSession } from '../sessions/end-session.js';
import { isFetchable } from '../refresh/take-refresh-requests.js';
import { lockLink } from '../links/link-transition.js';
import { requestRefresh } from '../refresh/request-refresh.js';
import { worldTimeOf } from '../worlds/world-clock.js';

/** What the sandbox controls of a link read and ask for. They are for links of Sandbox, whose owner the caller has checked. */
export class SandboxLinkRepository {
  constructor(private readonly ctx: Context) {}

  /** Ends the session of a link that cannot be made: nobody knows its token, and its sign-in is not kept. */
  async endSession(sessionId: string): Promise<void> {
    await this.ctx.database.transaction((tx) => endSession(this.ctx, tx, sessionId, 'cancelled'));
  }

  /** What time it is in the world of a link, as a source is told it. */
  async worldTime(linkId: string): Promise<Date | null> {
    const link = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      select: { appId: true, worldId: true },
    });
    return link === null ? null : worldTimeOf(this.ctx, link);
  }

  /** The finer cause behind the error of a link. */
  async causeOf(linkId: string): Promise<string | null> {
    const link = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      select: { errorCause: true },
    });
    return link?.errorCause ?? null;
  }

  /** Our id → the provider's, of the accounts the user permits. */
  async accountIds(linkId: string): Promise<Map<string, string>> {
    const rows = await this.ctx.database.prisma.account.findMany({
      where: { link: { linkId }, permitted: true, closed: false },
      select: { accountId: true, providerAccountId: true },
    });
    return new Map(rows.map(({ accountId, providerAccountId }) => [accountId, providerAccountId]));
  }

  /** The provider's id → ours, of rows that a fetch has seen, gone or not. */
  async transactionIds(
    linkId: string,
    providerTransactionIds: readonly string[],
  ): Promise<Map<string, string>> {
    const link = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      select: { pk: true },
    });
    if (link === null) return new Map();
    const rows = await this.ctx.database.prisma.transactionVersion.findMany({
      where: { linkPk: link.pk, providerTransactionId: { in: [...providerTransactionIds] } },
      select: { providerTransactionId: true, transactionId: true },
      orderBy: { seq: 'asc' },
    });
    return new Map(
      rows.map(({ providerTransactionId, transactionId }) => [
        providerTransactionId,
        transactionId,
      ]),
    );
  }

  /** Products that are waiting or being fetched. */
  async underWay(linkId: string): Promise<Product[]> {
    const rows = await this.ctx.database.prisma.linkProduct.findMany({
      where: { link: { linkId }, granted: true, state: { in: ['pending', 'in_progress'] } },
      select: { product: true },
    });
    return PRODUCTS.filter((product) => rows.some((row) => row.product === product));
  }

  /** Asks for a fetch outside the limits (link-lifecycle 14). False = the link cannot be fetched now. */
  async requestScriptedRefresh(linkId: string): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const found = await tx.link.findUnique({ where: { linkId }, select: { pk: true } });
      const link = found === null ? null : await lockLink(tx, found.pk);
      if (link === null || !isFetchable(link)) return false;
      await requestRefresh(this.ctx, tx, link, ['transactions'], 'sandbox_script');
      return true;
    });
  }

  /** Whether the last fetch of transactions that ended was a success. */
  async hasFreshTransactions(linkId: string): Promise<boolean> {
    const row = await this.ctx.database.prisma.linkProduct.findFirst({
      where: { link: { linkId }, product: 'transactions' },
      select: { state: true },
    });
    return row?.state === 'completed';
  }
}
