import { PRODUCTS, type Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import { endSession } from '../../links/sessions/end-session.js';
import { isFetchable } from '../refresh/take-refresh-requests.js';
import { lockLink } from '../../links/link/link-transition.js';
import { requestRefresh } from '../refresh/request-refresh.js';
import { worldTimeOf } from '../../worlds/world-clock.js';

/**
 * Reads and requests made by the sandbox controls of a link. The caller has checked that it is a
 * Sandbox link of the tenant.
 */
export class SandboxLinkRepository {
  constructor(private readonly ctx: Context) {}

  /** Ends the session of a link that could not be created, and erases its login. */
  async endSession(sessionId: string): Promise<void> {
    await this.ctx.database.transaction((tx) => endSession(this.ctx, tx, sessionId, 'cancelled'));
  }

  /** The current time in the world of a link, as providers receive it. */
  async worldTime(linkId: string): Promise<Date | null> {
    const link = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      select: { appId: true, worldId: true },
    });
    return link === null ? null : worldTimeOf(this.ctx, link);
  }

  /** The detailed cause behind the error of a link. */
  async causeOf(linkId: string): Promise<string | null> {
    const link = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      select: { errorCause: true },
    });
    return link?.errorCause ?? null;
  }

  /** Maps the account ids of permitted accounts to the provider's ids. */
  async accountIds(linkId: string): Promise<Map<string, string>> {
    const rows = await this.ctx.database.prisma.account.findMany({
      where: { link: { linkId }, permitted: true, closed: false },
      select: { accountId: true, providerAccountId: true },
    });
    return new Map(rows.map(({ accountId, providerAccountId }) => [accountId, providerAccountId]));
  }

  /** Maps the ids of current holdings to the provider's ids. */
  async holdingIds(linkId: string): Promise<Map<string, string>> {
    const rows = await this.ctx.database.prisma.holding.findMany({
      where: {
        account: { link: { linkId }, permitted: true },
        ended: null,
        providerHoldingId: { not: null },
      },
      select: { holdingId: true, providerHoldingId: true },
    });
    return new Map(
      rows.flatMap(({ holdingId, providerHoldingId: id }) =>
        id === null ? [] : [[holdingId, id]],
      ),
    );
  }

  /**
   * Maps the provider's transaction ids to Tributary's, for rows of past fetches, including removed
   * ones.
   */
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
  async productsInProgress(linkId: string): Promise<Product[]> {
    const rows = await this.ctx.database.prisma.linkProduct.findMany({
      where: { link: { linkId }, granted: true, state: { in: ['pending', 'in_progress'] } },
      select: { product: true },
    });
    return PRODUCTS.filter((product) => rows.some((row) => row.product === product));
  }

  /**
   * Requests a fetch outside the limits (link-lifecycle 14). False = the link cannot be fetched
   * now.
   */
  async requestScriptedRefresh(linkId: string, product: Product): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const found = await tx.link.findUnique({ where: { linkId }, select: { pk: true } });
      const link = found === null ? null : await lockLink(tx, found.pk);
      if (link === null || !isFetchable(link)) return false;
      await requestRefresh(this.ctx, tx, link, [product], 'sandbox_script');
      return true;
    });
  }

  /** Whether the most recently finished fetch of a product succeeded. */
  async hasFresh(linkId: string, product: Product): Promise<boolean> {
    const row = await this.ctx.database.prisma.linkProduct.findFirst({
      where: { link: { linkId }, product },
      select: { state: true },
    });
    return row?.state === 'completed';
  }
}
