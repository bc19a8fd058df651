import { Decimal } from 'decimal.js';
import type { AccountRecord } from '../accounts/present-account.js';
import { amountText, negated } from './amount-text.js';

/** The facts of the link of an account. */
export interface AccountOrigin {
  linkId: string;
  institutionId: string;
  institutionName: string;
  /** Different from that of every other link of the user. */
  connectionName: string;
  institutionDomain: string | null;
  /** The last refresh of its accounts, for a balance without a time. */
  refreshedAt: Date;
}

interface PresentedWith {
  version: 1 | 2;
  sfinUrl: string;
  /** The day of its list of holdings, `YYYY-MM-DD`; null = its holdings are not known. */
  holdingsAsOf: string | null;
}

/**
 * An account without its rows and holdings; null when no balance is known, which the protocol requires. Debt is
 * negative, as clients expect; the API has it positive (native-api 4.3).
 */
export function presentAccount(
  account: AccountRecord,
  origin: AccountOrigin,
  { version, sfinUrl, holdingsAsOf }: PresentedWith,
): Record<string, unknown> | null {
  const { accountId, accountType, nickname, name, mask, currency, available } = account;
  const balance = balanceOf(account);
  if (balance === null) return null;
  return {
    ...(version === 2 ? { conn_id: origin.linkId } : { org: organization(origin, sfinUrl) }),
    id: accountId,
    name: mask === null ? (nickname ?? name) : `${nickname ?? name} (${mask})`,
    currency,
    balance: amountText(balance, currency),
    ...(available === null ? {} : { 'available-balance': amountText(available, currency) }),
    'balance-date': epochSeconds(account.balanceDate ?? origin.refreshedAt),
    extra: {
      account_type: accountType,
      ...(holdingsAsOf === null ? {} : { holdings_as_of: holdingsAsOf }),
    },
  };
}

/** The institution of an account, for version 1, which has no connections. */
function organization(
  { institutionId, connectionName, institutionDomain }: AccountOrigin,
  sfinUrl: string,
): Record<string, string> {
  return {
    id: institutionId,
    name: connectionName,
    ...(institutionDomain === null
      ? {}
      : { domain: institutionDomain, url: `https://${institutionDomain}` }),
    'sfin-url': sfinUrl,
  };
}

/** The connection of a link, for version 2. */
export function presentConnection(
  { linkId, institutionId, institutionName, connectionName, institutionDomain }: AccountOrigin,
  sfinUrl: string,
): Record<string, string> {
  return {
    conn_id: linkId,
    name: connectionName,
    org_id: institutionId,
    org_name: institutionName,
    ...(institutionDomain === null ? {} : { org_url: `https://${institutionDomain}` }),
    sfin_url: sfinUrl,
  };
}

/** Of a card without a balance, the used part of its limit; else what is available. */
function balanceOf({
  accountType,
  current,
  available,
  limit,
}: AccountRecord): Decimal.Value | null {
  if (!accountType.startsWith('liability.')) return current ?? available;
  if (current !== null) return negated(current);
  return available === null || limit === null ? null : new Decimal(available).minus(limit);
}

const epochSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1_000);
