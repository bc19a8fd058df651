import type { Tenant } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { loadSql } from '../../base/database/load-sql.js';
import { connectLink, lockUsableToken, markUsed } from '../../work/linking/exchange-token.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import { takeRoom } from '../../tenants/usage/app-use.js';
import { addItemToken } from './add-item-token.js';

/** The facts about a link that only the compatibility layer shows. */
export interface ItemFacts {
  linkId: string;
  /** The finer cause behind the error of the link. */
  errorCause: string | null;
  createdAt: Date;
  /** The alias by which its institution was requested. */
  institutionAlias: string | null;
  webhookFormat: 'native' | 'plaid';
  lastWebhook: { sentAt: Date; code: string } | null;
  /** Requested days of transactions; null = unspecified. */
  historyDays: number | null;
  syncStartedAt: Date | null;
  /** The time at which its institution will end the permission; null = no known time. */
  permissionEndsAt: Date | null;
  /** Users log in on the institution's own pages. */
  isOAuth: boolean;
  /** Its world enforces refresh limits, which Sandbox links otherwise do not have. */
  hasRefreshLimits: boolean;
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

/** The days that the first fetch of transactions stores (native-api 3.7). */
const USUAL_DAYS = 90;

/** Access tokens of the compatibility layer, stored only as SHA-256, and the links they give access to. Source: plaid-compat 2. */
export class ItemRepository {
  constructor(private readonly ctx: Context) {}

  /** The link of an access token of this tenant, even if it is deleted; null for any other text. */
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

  /**
   * Records that a client reads the changes of a link, so that changes are announced to it. `days`
   * sets the amount of history to fetch; more than 90 days means all of it.
   */
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

  /**
   * Exchanges a public token for an access token: of a new link, which becomes connected, or an
   * additional one of a link that a session repaired. Null when the token or its link cannot be
   * exchanged. Source: plaid-compat 2.
   */
  async exchange(
    client: Tenant & { clientId: string },
    publicToken: string,
  ): Promise<{ linkId: string; accessToken: string } | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const found = await lockUsableToken(ctx, tx, client, publicToken);
      // This API cannot name the user who is signed in (connect 7).
      if (found === null || found.session.resumedWithoutToken) return null;
      const { link, session } = found;
      if (session.mode === 'relink' && link.state !== 'deleted') await markUsed(ctx, tx, found);
      else if (link.state === 'awaiting_token_exchange') await connectLink(ctx, tx, found);
      else return null;
      return { linkId: link.linkId, accessToken: await addItemToken(ctx, tx, client, link.pk) };
    });
  }

  /**
   * Replaces a token, which is revoked immediately; null when it was already revoked. Of two
   * concurrent calls only one succeeds.
   */
  async replaceToken(client: Tenant & { clientId: string }, token: string): Promise<string | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const tokenHash = bytesColumn(sha256(token));
      const { count } = await tx.itemAccessToken.updateMany({
        where: { tokenHash, revokedAt: null, link: permittedLinks(client) },
        data: { revokedAt: ctx.clock() },
      });
      if (count === 0) return null;
      const { linkPk } = await tx.itemAccessToken.findUniqueOrThrow({
        where: { tokenHash },
        select: { linkPk: true },
      });
      takeRoom(ctx, tx, client, { access_tokens: 1 });
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
