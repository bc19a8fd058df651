import type { ConnectExit, ConnectSuccess } from '@tributary/connect-react';

export interface LinkedBank {
  link: {
    link_id: string;
    institution_name: string;
    state: string;
    error_code: string | null;
    products: Record<
      string,
      { refreshed_at: string | null; error_code: string | null; unavailable: string | null }
    >;
  };
  accounts: {
    account_id: string;
    name: string;
    account_type: string;
    account_mask: string | null;
    balances: { currency: string; current: number | null };
  }[];
  transactions: {
    transaction_id: string;
    description: string | null;
    type: 'debit' | 'credit';
    amount: number;
    currency: string;
    date: string;
  }[];
  portfolios: {
    account_id: string;
    holdings: {
      holding_id: string;
      security: { name: string | null; symbol: string | null } | undefined;
      quantity: string;
      value: number | null;
      cost_basis: number | null;
      currency: string;
    }[];
    /** Money of the account that is in no holding; null = unknown. */
    cash: number | null;
    balances: { date: string; current: number | null; currency: string }[];
  }[];
  liabilities: {
    account_id: string;
    currency: string;
    next_payment: { due_on: string | null; amount: number | null } | null;
  }[];
  streams: {
    stream_id: string;
    label: string;
    direction: 'in' | 'out';
    amounts: { typical: number; currency: string };
    next: { expected: string } | null;
  }[];
}

export interface Settings {
  connectBaseUrl: string;
  /** The command of the service's operator that lets this page open Connect. */
  allowCommand: string;
  /** True if the back end can link a bank as an example, which only a sandbox can. */
  hasExample: boolean;
}

export function ask(method: 'GET', path: '/api/settings'): Promise<Settings>;
export function ask(method: 'GET', path: '/api/links'): Promise<LinkedBank[]>;
export function ask(
  method: 'POST',
  path: '/api/session',
  body: { page: 'plain' | 'react'; linkId?: string },
): Promise<{ linkSessionToken: string }>;
export function ask(
  method: 'POST',
  path: '/api/links',
  body: { exchangeableToken: string },
): Promise<{ linkId: string }>;
export function ask(
  method: 'POST',
  path: '/api/example',
  body: Record<string, never>,
): Promise<{ linkId: string }>;
export function ask(
  method: 'POST',
  path: '/api/finance-app',
  body: Record<string, never>,
): Promise<{ setupToken: string }>;
export function ask(
  method: 'POST',
  path: '/api/repairs',
  body: { existingLinkId: string | undefined },
): Promise<{ linkId: string }>;
export function ask(
  method: 'POST',
  path: `/api/links/${string}/reset`,
  body: Record<string, never>,
): Promise<object>;
export function ask(method: 'DELETE', path: `/api/links/${string}`): Promise<object>;

export function acceptResult(success: ConnectSuccess): Promise<{ linkId: string }>;
export function describeState(link: { state: string; error_code: string | null }): string;
export const READ_AGAIN: { everyMs: number; forMs: number };
export function isBeingRead(link: Pick<LinkedBank['link'], 'state' | 'products'>): boolean;
export const BEING_READ: string;
export const EXAMPLE_STARTED: string;
export const EXAMPLE_READY: string;
export function describeExit(exit: ConnectExit, allowCommand: string): string;
export const FINANCE_APP_NOTE: string;
export function money(amount: number | null, currency: string): string;
export function balance(account: LinkedBank['accounts'][number]): string;
export function signed(transaction: { type: 'debit' | 'credit'; amount: number }): number;
