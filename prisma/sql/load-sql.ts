import { readFileSync } from 'node:fs';

export type StatementName =
  | 'complete-product'
  | 'count-world-run'
  | 'link-row'
  | 'lock-link'
  | 'lock-link-by-id'
  | 'world-agenda-next'
  | 'outbox-claim'
  | 'export-links'
  | 'institution-browse'
  | 'institution-list'
  | 'institution-matches'
  | 'institution-similar'
  | 'change-log'
  | 'current-transactions'
  | 'due-end-notices'
  | 'due-links-claim'
  | 'due-links-request'
  | 'webhook-claim-attempt'
  | 'webhook-claim-first-attempts'
  | 'webhook-claim-told'
  | 'webhook-claim-visited'
  | 'webhook-hand-to-workflows'
  | 'webhook-record-deliveries'
  | 'webhook-record-outcomes'
  | 'webhook-replay-pace'
  | 'webhook-requeue-overdue'
  | 'find-account-numbers'
  | 'find-item'
  | 'find-accounts'
  | 'find-accounts-of-links'
  | 'find-link'
  | 'find-links-of-user'
  | 'find-overdue-links'
  | 'find-owners'
  | 'known-transactions'
  | 'link-view'
  | 'remove-transactions'
  | 'rename-transactions'
  | 'import-accounts'
  | 'store-accounts'
  | 'store-transactions'
  | 'sync-page'
  | 'take-token-call'
  | 'transaction-list'
  | 'unseen-transactions'
  | 'untold-changes'
  | 'user-transactions'
  | 'version-bodies';

const texts = new Map<StatementName, string>();

/** The text of a hot statement that lives beside this file. Read once per process; `-- include NAME` stands for another one. */
export function loadSql(name: StatementName): string {
  let text = texts.get(name);
  if (text === undefined) {
    text = readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8').replaceAll(
      /^\s*-- include (\S+)$/gm,
      (_, part: StatementName) => loadSql(part),
    );
    texts.set(name, text);
  }
  return text;
}
