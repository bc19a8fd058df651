import type { Tenant } from '../../../domain/api/environment.js';
import { makeId } from '../../../domain/api/ids.js';
import type {
  ImportedAccount,
  ImportedTransaction,
} from '../../../domain/imports/imported-data.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import { DEFAULT_PRODUCT_SETTINGS, PRODUCTS, type Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { noAfterEffect, type AfterEffect } from '../../base/database/after-effect.js';
import { findLinkView } from '../link/find-link-view.js';
import { createLink, lockLink } from '../link/link-transition.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import type { LinkView } from '../link/link-view.js';
import {
  storeCustomerUser,
  type NewCustomerUser,
} from '../../tenants/applications/store-customer-user.js';
import { completeImport, storeImportedAccounts, storeImportedRows } from './store-imported.js';
import { requireRoom, takeRoom } from '../../tenants/usage/app-use.js';
import { clockOf, DEFAULT_WORLD } from '../../worlds/world-clock.js';
import type { Link } from '../../generated/client.js';

export interface LinkImport {
  /** The client whose trial limit counts the link. */
  clientId: string;
  customerUser: NewCustomerUser;
  institutionId: string;
  provider: string;
  webhook: string | null;
  tags: readonly string[];
  accounts: readonly ImportedAccount[];
  /** Each belongs to one of the accounts above. */
  transactions: readonly ImportedTransaction[];
  /** The size of the request, which counts toward IMPORTED_BYTES_PER_DAY. */
  bytes: number;
}

export interface MoreRows {
  transactions: readonly ImportedTransaction[];
  /** The size of the request, which counts toward IMPORTED_BYTES_PER_DAY. */
  bytes: number;
}

/** The result of importing rows. `unknown_accounts` lists the indexes of the offending rows. */
export type RowsImport =
  | { kind: 'imported'; link: LinkView }
  | { kind: 'gone' | 'not_imported' }
  | { kind: 'bad_state'; state: LinkState; error: LinkError | null }
  | { kind: 'unknown_accounts'; rows: number[] };

/**
 * Links and transactions that an app imports from elsewhere. Each call is one transaction, which
 * `andThen` ends. Source: link-lifecycle 11.
 */
export class ImportRepository {
  constructor(private readonly ctx: Context) {}

  /** @throws TrialLimitReached, BoundReached */
  async importLink(
    tenant: Tenant,
    { customerUser, accounts, transactions, bytes, ...facts }: LinkImport,
    andThen: AfterEffect<LinkView> = noAfterEffect,
  ): Promise<LinkView> {
    const { ctx } = this;
    const small = { sessions: 1, imported_bytes: bytes };
    return ctx.database.transaction(async (tx) => {
      await requireRoom(ctx, tx, tenant, { ...small, links: 1, rows: transactions.length });
      const products: Product[] =
        transactions.length === 0 ? ['accounts'] : ['accounts', 'transactions'];
      const importedAt = await clockOf(ctx, tx, { appId: tenant.appId, worldId: DEFAULT_WORLD });
      const link = await createLink(
        ctx,
        tx,
        {
          ...facts,
          linkId: makeId('link', ctx.random),
          appId: tenant.appId,
          environment: tenant.environment,
          customerUserPk: await storeCustomerUser(ctx, tx, tenant, customerUser),
          worldId: DEFAULT_WORLD,
          importedAt,
          products: products.map((product) => ({
            product,
            position: PRODUCTS.indexOf(product),
            settings: DEFAULT_PRODUCT_SETTINGS,
          })),
        },
        { type: 'import' },
        { errorMessage: 'The link was imported. The account owner must sign in at the bank.' },
      );
      await storeImportedAccounts(ctx, tx, link, accounts);
      const rows = await storeImportedRows(ctx, tx, link, transactions);
      takeRoom(ctx, tx, tenant, { ...small, rows });
      await completeImport(ctx, tx, link, products);
      return this.conclude(tx, tenant, link, andThen);
    });
  }

  /** Adds rows to a link whose owner has not signed in yet. @throws BoundReached */
  async importTransactions(
    tenant: Tenant,
    linkId: string,
    { transactions, bytes }: MoreRows,
    andThen: AfterEffect<LinkView> = noAfterEffect,
  ): Promise<RowsImport> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const found = await tx.link.findFirst({
        where: { AND: [{ linkId }, permittedLinks(tenant)] },
        select: { pk: true },
      });
      const link = found === null ? null : await lockLink(tx, found.pk);
      if (link === null || link.state === 'deleted') return { kind: 'gone' };
      if (link.importedAt === null) return { kind: 'not_imported' };
      const isReconnected = (await tx.providerCredential.count({ where: { linkPk: link.pk } })) > 0;
      if (isReconnected)
        return {
          kind: 'bad_state',
          state: link.state as LinkState,
          error: link.errorCode as LinkError | null,
        };
      const known = new Set(
        (
          await tx.account.findMany({ where: { linkPk: link.pk }, select: { originalId: true } })
        ).map(({ originalId }) => originalId),
      );
      const unknown = transactions.flatMap(({ accountOriginalId }, place) =>
        known.has(accountOriginalId) ? [] : [place],
      );
      if (unknown.length > 0) return { kind: 'unknown_accounts', rows: unknown };
      await requireRoom(ctx, tx, tenant, { imported_bytes: bytes, rows: transactions.length });
      await tx.linkProduct.createMany({
        data: [
          {
            linkPk: link.pk,
            product: 'transactions',
            position: PRODUCTS.indexOf('transactions'),
            ...NO_SETTINGS,
            createdAt: ctx.clock(),
          },
        ],
        skipDuplicates: true,
      });
      const rows = await storeImportedRows(ctx, tx, link, transactions);
      takeRoom(ctx, tx, tenant, { imported_bytes: bytes, rows });
      await completeImport(ctx, tx, link, ['transactions']);
      return { kind: 'imported', link: await this.conclude(tx, tenant, link, andThen) };
    });
  }

  private async conclude(
    tx: Tx,
    tenant: Tenant,
    { linkId }: Link,
    andThen: AfterEffect<LinkView>,
  ): Promise<LinkView> {
    const link = await findLinkView(this.ctx, tx, tenant, linkId);
    await andThen(tx, link);
    return link;
  }
}

const NO_SETTINGS = {
  required: DEFAULT_PRODUCT_SETTINGS.required,
  prefetch: DEFAULT_PRODUCT_SETTINGS.prefetch,
  requirePermission: DEFAULT_PRODUCT_SETTINGS.require_permission,
  extendHistory: DEFAULT_PRODUCT_SETTINGS.extend_history,
};
