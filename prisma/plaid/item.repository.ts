import type { Tenant } from '../../domain/api/environment.js';
import type { Context } from '../context.js';
import { bytesColumn, sha256 } from '../database/bytes.js';
import { loadSql } from '../database/load-sql.js';
import { addItemToken } from './add-item-token.js';

/** What only the compatibility layer tells of a link. */
export interface ItemFacts {
  linkId: string;
  /** The finer cause behind the error of the link. */
  errorCause: string | null;
  createdAt: Date;
  /** The name under which its institution was asked for, if that was an alias. */
  institutionAlias: string | null;
  webhookFormat: 'native' | 'plaid';
  lastWebhook: { sentAt: Date; code: string } | null;
  /** Days of transactions asked for; null = nobody said. */
  historyDays: number | null;
  syncStartedAt: Date | null;
  /** When its institution ends the permission by itself, as far as that is known. */
  permissionEndsAt: Date | null;
  /** Its institution has a login of its own. */
  isOAuth: boolean;
  /** Refresh limits hold in its world, although it is a Sandbox link. */
  hasRefreshLimits: boolean;
  /** Account numbers of it are stored. */
  hasNumbers: boolean;
}

interface ItemRow {
  link_id: string;
  error_cause: string | null;
  created_at: Date;
  institution_alias: string | null;
  webhook_format: 'native' | 'plaid';
  webhook_sent_at: Date | null;
  webhook_sent_code: string | null;
  history_days: number | null;
  sync_started_at: Date | null;
  permission_ends_at: Date | null;
  is_oauth: boolean;
  has_refresh_limits: boolean;
  has_numbers: boolean;
}

/** What the first fetch of transactions brings (native-api 3.7). */
const USUAL_DAYS = 90;

/** Access tokens of the compatibility layer: opaque, stored only as SHA-256. Source: plaid-compat 2. */
export class ItemRepository {
  constructor(private readonly ctx: Context) {}

  /** What a token of this tenant names, deleted links included; null for any other text. */
  async findByToken({ appId, environment }: Tenant, token: string): Promise<ItemFacts | null> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ItemRow>({
      name: 'find-item',
      text: loadSql('find-item'),
      values: [sha256(token), appId, environment],
    });
    return row === undefined ? null : toFacts(row);
  }

  /** Marks that a client reads the changes of a link. With `days` it also says how much history is to be fetched: more than 90 days is all of it. */
  async startSync(linkPk: bigint, days: number | null): Promise<void> {
    const now = this.ctx.clock();
    await this.ctx.database.transaction(async (tx) => {
      await tx.link.updateMany({
        where: { pk: linkPk, syncStartedAt: null },
        data: { syncStartedAt: now },
      });
      if (days === null) return;
      const { count } = await tx.link.updateMany({
        where: { pk: linkPk, historyDays: null },
        data: { historyDays: days },
      });
      if (count > 0 && days > USUAL_DAYS)
        await tx.linkProduct.updateMany({
          where: { linkPk, product: 'transactions', lastAttemptedAt: null },
          data: { extendHistory: true },
        });
    });
  }

  /** A new token instead of this one, which ends at once; null when it is none any more. Of two calls only one succeeds. */
  async replaceToken(client: Tenant & { clientId: string }, token: string): Promise<string | null> {
    const { ctx } = this;
    const { appId, environment } = client;
    return ctx.database.transaction(async (tx) => {
      const tokenHash = bytesColumn(sha256(token));
      const { count } = await tx.itemAccessToken.updateMany({
        where: { tokenHash, revokedAt: null, link: { appId, environment } },
        data: { revokedAt: ctx.clock() },
      });
      if (count === 0) return null;
      const { linkPk } = await tx.itemAccessToken.findUniqueOrThrow({
        where: { tokenHash },
        select: { linkPk: true },
      });
      return addItemToken(ctx, tx, client, linkPk);
    });
  }
}

function toFacts(row: ItemRow): ItemFacts {
  return {
    linkId: row.link_id,
    errorCause: row.error_cause,
    createdAt: row.created_at,
    institutionAlias: row.institution_alias,
    webhookFormat: row.webhook_format,
    lastWebhook:
      row.webhook_sent_at === null || row.webhook_sent_code === null
        ? null
        : { sentAt: row.webhook_sent_at, code: row.webhook_sent_code },
    historyDays: row.history_days,
    syncStartedAt: row.sync_started_at,
    permissionEndsAt: row.permission_ends_at,
    isOAuth: row.is_oauth,
    hasRefreshLimits: row.has_refresh_limits,
    hasNumbers: row.has_numbers,
  };
}
