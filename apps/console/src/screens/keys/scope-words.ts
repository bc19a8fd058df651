import type { Scope } from '../../../../../domain/api/scopes.js';

/** What a program may do with each scope. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'link_session:write': 'start, read and finish sessions in Connect',
  'links:read': 'read links and sessions, without accounts',
  'links:write': 'change, reset, import and disconnect links',
  'products:read': 'read all data of links, with account numbers and owners',
  'transactions:read': 'read accounts, balances and transactions',
  'numbers:read': 'read account numbers',
  'identity:read': 'read owners of accounts',
  'investments:read': 'read holdings and trades',
  'liabilities:read': 'read debts',
  'products:refresh': 'request refreshes',
  'institutions:read': 'read banks',
  'users:read': 'read and export the data of a user',
  'users:write': 'erase users',
  'users:share': 'create and revoke SimpleFIN credentials of users',
  'webhooks:test': 'send test webhooks',
  'webhooks:read': 'read webhook events and their deliveries',
  'webhooks:replay': 'send webhook events again',
  'webhooks:listen': 'receive copies of webhooks',
  'sandbox:write': 'use everything that exists in Sandbox alone',
};

export const SCOPE_NAMES = Object.keys(SCOPE_WORDS) as Scope[];
