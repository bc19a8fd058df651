#!/usr/bin/env node
import type { TokensIntrospectResult } from '@tributary/node';
import { Refusal } from './serving/explain-failure.js';
import { scopesOf, startServer } from './serving/start-server.js';
import { accountTools } from './tools/account-tools.js';
import { investmentTools } from './tools/investment-tools.js';
import { liabilityTools } from './tools/liability-tools.js';
import { linkTools } from './tools/link-tools.js';
import { recurringTools } from './tools/recurring-tools.js';
import { summaryTools } from './tools/summary-tools.js';
import { transactionTools } from './tools/transaction-tools.js';

/** All others write, or were added to the service later. */
const READING = [
  'links:read',
  'products:read',
  'transactions:read',
  'numbers:read',
  'identity:read',
  'investments:read',
  'liabilities:read',
  'institutions:read',
  'users:read',
  'webhooks:read',
];

await startServer({
  name: 'tributary-mcp-data',
  checkPair,
  tools: (scopes) => [
    ...linkTools,
    ...accountTools(scopes),
    ...transactionTools(scopes),
    ...summaryTools(scopes),
    ...recurringTools(scopes),
    ...investmentTools(scopes),
    ...liabilityTools(scopes),
  ],
});

function checkPair(pair: TokensIntrospectResult): void {
  const remedy =
    'Use one made by `clients create` with --user or --link, and with reading scopes only, such as links:read and transactions:read.';
  // An older service does not say it: its pairs reach everything.
  if (!pair.restricted_to)
    throw new Refusal(`The key pair reaches all users of its app. ${remedy}`);
  const writing = [...scopesOf(pair)].filter((scope) => !READING.includes(scope));
  if (writing.length > 0)
    throw new Refusal(`The key pair has writing scopes (${writing.join(', ')}). ${remedy}`);
}
