import { DELETED_LINK_RETENTION_MS } from '../../../domain/link/link-deletion.js';
import {
  presentIncomplete,
  type PermittedAccounts,
  type StoredIncomplete,
} from '../../../domain/refresh/incomplete-product.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import type { LinkFacts } from '../../../domain/link/present-link.js';
import type { ProductError } from '../../../domain/link/product-state.js';
import type { Product } from '../../../domain/link/products.js';

/** A link for API calls: its public fields and the key of its rows. */
export interface LinkView extends LinkFacts {
  pk: bigint;
  headSeq: bigint;
  revision: bigint;
  everConnected: boolean;
  /** The products, each with the finer cause of its error. */
  products: (LinkFacts['products'][number] & { errorCause: string | null })[];
}

/** A row of prisma/links/link/find-link.sql. Numbers of type bigint arrive as text. */
export interface LinkViewRow {
  pk: string;
  link_id: string;
  institution_id: string;
  institution_name: string | null;
  provider: string;
  state: string;
  error_code: string | null;
  error_message: string | null;
  tags: string[];
  webhook: string | null;
  webhook_disabled_at: Date | null;
  permission_ends_at: Date | null;
  connected_at: Date | null;
  last_synced_at: Date | null;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
  next_due_at: Date | null;
  slow_due_at: Date | null;
  interval_ms: string | null;
  slow_interval_ms: string | null;
  customer_user_id: string;
  /** Null = real time. */
  world_now: Date | null;
  head_seq: string;
  revision: string;
  supported_products: string[];
  products: ProductRow[];
  /** Null = every refresh was complete. */
  incomplete_accounts: PermittedAccounts | null;
  awaited_accounts: string[];
}

interface ProductRow {
  product: string;
  required: boolean;
  prefetch: boolean;
  require_permission: boolean;
  reason: string | null;
  extend_history: boolean;
  refreshed_at: string | null;
  last_attempted_at: string | null;
  error_code: string | null;
  error_message: string | null;
  error_cause: string | null;
  unavailable: string | null;
  has_history: boolean;
  incomplete: StoredIncomplete[];
}

/** `now` by the clock of the link's world. */
export function isPurged(deletedAt: Date, now: Date): boolean {
  return deletedAt.getTime() + DELETED_LINK_RETENTION_MS <= now.getTime();
}

/** Null for a link that was deleted too long ago to show. */
export function linkViewOf(row: LinkViewRow, realNow: Date): LinkView | null {
  const now = row.world_now ?? realNow;
  return row.deleted_at !== null && isPurged(row.deleted_at, now) ? null : toLinkView(row, now);
}

function toLinkView(row: LinkViewRow, now: Date): LinkView {
  return {
    now,
    pk: BigInt(row.pk),
    headSeq: BigInt(row.head_seq),
    revision: BigInt(row.revision),
    everConnected: row.connected_at !== null,
    linkId: row.link_id,
    customerUserId: row.customer_user_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    nextDueAt: row.next_due_at,
    slowDueAt: row.slow_due_at,
    plannedIntervals: { fast: numberOf(row.interval_ms), slow: numberOf(row.slow_interval_ms) },
    institutionId: row.institution_id,
    institutionName: row.institution_name ?? row.institution_id,
    provider: row.provider,
    state: row.state as LinkState,
    errorCode: row.error_code as LinkError | null,
    errorMessage: row.error_message,
    lastSyncedAt: row.last_synced_at,
    tags: row.tags,
    webhook: row.webhook,
    webhookDisabledAt: row.webhook_disabled_at,
    permissionEndsAt: row.permission_ends_at,
    supportedProducts: row.supported_products as Product[],
    products: row.products.map((product) => ({
      product: product.product as Product,
      settings: {
        required: product.required,
        prefetch: product.prefetch,
        require_permission: product.require_permission,
        reason: product.reason,
        extend_history: product.extend_history,
      },
      refreshedAt: instantOf(product.refreshed_at),
      lastAttemptedAt: instantOf(product.last_attempted_at),
      errorCode: product.error_code as ProductError | null,
      errorMessage: product.error_message,
      errorCause: product.error_cause,
      unavailable: product.unavailable,
      hasHistory: product.has_history,
      incomplete: presentIncomplete(
        product.incomplete,
        row.incomplete_accounts ?? {},
        row.awaited_accounts,
      ),
    })),
  };
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function instantOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
