import { readFileSync } from 'node:fs';

/**
 * The folder of each statement, next to the code that binds it. Names are unique because they also
 * name the prepared statements.
 */
const FOLDER_OF = {
  'find-account-numbers': 'accounts',
  'find-accounts': 'accounts',
  'find-accounts-of-links': 'accounts',
  'find-owners': 'accounts',
  'store-accounts': 'accounts',
  'take-token-call': 'applications',
  'catalogue-candidates': 'catalogue',
  'catalogue-entries-of': 'catalogue',
  'catalogue-known': 'catalogue',
  'catalogue-mark-gone': 'catalogue',
  'catalogue-store-aliases': 'catalogue',
  'catalogue-store-entries': 'catalogue',
  'catalogue-store-institutions': 'catalogue',
  'catalogue-store-routes': 'catalogue',
  'catalogue-taken-ids': 'catalogue',
  'find-identity': 'database',
  'write-identity': 'database',
  'institution-available': 'institutions',
  'institution-browse': 'institutions',
  'institution-list': 'institutions',
  'institution-matches': 'institutions',
  'institution-similar': 'institutions',
  'institution-slice': 'institutions',
  'institution-usable-route': 'institutions',
  'key-ages': 'gauges',
  'session-ends': 'gauges',
  'work-gauges': 'gauges',
  'due-end-notices': 'links',
  'find-link': 'links',
  'link-row': 'links',
  'link-view': 'links',
  'lock-link': 'links',
  'lock-link-by-id': 'links',
  'outbox-claim': 'outbox',
  'find-item': 'plaid',
  'quota-usage': 'quotas',
  'take-quota': 'quotas',
  'advance-sequences': 'recovery',
  'lost-since': 'recovery',
  'void-positions': 'recovery',
  'complete-product': 'refresh',
  'due-links-claim': 'refresh',
  'due-links-request': 'refresh',
  'find-overdue-links': 'refresh',
  'unannounced-changes': 'refresh',
  'count-world-run': 'sandbox',
  'world-agenda-next': 'sandbox',
  'change-log': 'transactions',
  'current-transactions': 'transactions',
  'import-accounts': 'transactions',
  'known-transactions': 'transactions',
  'remove-transactions': 'transactions',
  'rename-transactions': 'transactions',
  'store-transactions': 'transactions',
  'sync-page': 'transactions',
  'transaction-list': 'transactions',
  'unseen-transactions': 'transactions',
  'version-bodies': 'transactions',
  'add-use': 'usage',
  'take-room': 'usage',
  'export-links': 'users',
  'find-links-of-user': 'users',
  'user-transactions': 'users',
  'webhook-claim-attempt': 'webhooks',
  'webhook-claim-first-attempts': 'webhooks',
  'webhook-record-outcomes': 'webhooks',
  'webhook-requeue-overdue': 'webhooks',
  'webhook-start-retries': 'webhooks',
} as const;

export type StatementName = keyof typeof FOLDER_OF;

const texts = new Map<StatementName, string>();

/**
 * Returns the text of a statement, read once per process; `-- include NAME` inserts another
 * statement.
 */
export function loadSql(name: StatementName): string {
  let text = texts.get(name);
  if (text === undefined) {
    const file = new URL(`../${FOLDER_OF[name]}/${name}.sql`, import.meta.url);
    text = readFileSync(file, 'utf8').replaceAll(
      /^\s*-- include (\S+)$/gm,
      (_, part: StatementName) => loadSql(part),
    );
    texts.set(name, text);
  }
  return text;
}
