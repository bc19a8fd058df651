import type { Tenant } from '../../../domain/api/environment.js';
import { apiTimestamp, apiTimestampOrNull } from '../../../domain/api/timestamps.js';
import { renderAccount, renderDayBalances } from '../../../domain/accounts/present-account.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import { presentLink, type LinkPresentation } from '../../../domain/link/present-link.js';
import { presentSimplefinToken } from '../../../domain/simplefin/present-token.js';
import { SimplefinTokenRepository } from '../simplefin/simplefin-token.repository.js';
import type { Context } from '../../base/context.js';
import type { AccountRepository } from '../../links/accounts/account.repository.js';
import type { ExportedTrade } from './exported-products.js';
import type {
  ExportedEvent,
  ExportedLink,
  ExportedSession,
  ExportedUser,
  ExportedVersion,
} from './exported-rows.js';

const EVERY_DAY = { start: '0001-01-01', end: '9999-12-31' };

export function presentUser({ user_id, email, phone, created_at, last_used_at }: ExportedUser) {
  return {
    id: user_id,
    email,
    phone,
    created_at: apiTimestamp(created_at),
    last_used_at: apiTimestamp(last_used_at),
  };
}

export function presentExportedLink({ view, times }: ExportedLink, settings: LinkPresentation) {
  return {
    link: presentLink(view, settings),
    created_at: apiTimestamp(times.createdAt),
    connected_at: apiTimestampOrNull(times.connectedAt),
    imported_at: apiTimestampOrNull(times.importedAt),
    deleted_at: apiTimestampOrNull(times.deletedAt),
  };
}

export interface RenderedAccount {
  accountId: string;
  /** Its JSON, with further members already rendered. */
  account: (...extra: string[]) => string;
  /** The JSON of each day with a change. */
  balances: string[];
}

/** The accounts of a link, with the owners and numbers that may be shown, in the institution's order. */
export async function* accountsOf(
  repository: AccountRepository,
  tenant: Tenant,
  linkId: string,
  details: ExportedDetails,
): AsyncGenerator<RenderedAccount> {
  const accounts = await repository.all(tenant, linkId);
  const owners = details.owners ? await repository.ownersOf(accounts) : undefined;
  const numbers = details.numbers ? await repository.numbersOf(linkId, accounts) : undefined;
  for (const account of accounts) {
    const { accountId } = account;
    const history = await repository.balancesOf(tenant, accountId, EVERY_DAY);
    yield {
      accountId,
      account: (...extra) =>
        renderAccount(account, [
          ...(owners === undefined ? [] : [`"owners":[${owners.get(accountId) ?? ''}]`]),
          ...(numbers === undefined ? [] : [`"numbers":${numbers.get(accountId) ?? 'null'}`]),
          ...extra,
        ]),
      balances: history.map((day) => renderDayBalances(day)),
    };
  }
}

export function presentSession({ sandbox_data, ...session }: ExportedSession) {
  return {
    ...session,
    created_at: apiTimestamp(session.created_at),
    opened_at: apiTimestampOrNull(session.opened_at),
    ended_at: apiTimestampOrNull(session.ended_at),
    custom_sandbox_data: sandbox_data,
  };
}

/** The tokens of finance apps that read the data of a user, without their secrets. */
export async function presentedTokens(ctx: Context, tenant: Tenant, userId: string) {
  const tokens = await new SimplefinTokenRepository(ctx).list(tenant, userId);
  return tokens.map((token) => presentSimplefinToken(token, ctx.clock()));
}

/**
 * The body of a transaction already is its public JSON: exact decimals would not survive parsing.
 * `first` are members in front of its own.
 */
export function renderVersion(
  { body, counterpartyNumbers, ...version }: ExportedVersion,
  first: object = {},
): string {
  const { seq, replaced, removed, transaction_id } = version;
  const facts = { ...first, seq: Number(seq), replaced, removed, transaction_id };
  const numbers =
    counterpartyNumbers === undefined
      ? ''
      : `,"counterparty_numbers":${counterpartyNumbers ?? 'null'}`;
  return `${openObject(facts)},"transaction":${removed ? 'null' : body}${numbers}}`;
}

/** A version of an investment transaction, like `renderVersion`. */
export function renderTrade({ body, ...version }: ExportedTrade): string {
  const { seq, replaced, removed, transaction_id: id } = version;
  const facts = { seq: Number(seq), replaced, removed, investment_transaction_id: id };
  return `${openObject(facts)},"investment_transaction":${removed ? 'null' : body}}`;
}

export function renderEvent(
  { event_id, webhook_event, created_at, body }: ExportedEvent,
  first: object = {},
): string {
  const facts = { ...first, event_id, webhook_event, created_at: apiTimestamp(created_at) };
  return `${openObject(facts)},"body":${body}}`;
}

/** The start of a JSON object to which more members are appended. */
export function openObject(members: object): string {
  return JSON.stringify(members).slice(0, -1);
}
