import { Inject, Injectable } from '@nestjs/common';
import {
  invalid,
  validationFailed,
  type ValidationIssue,
} from '../../../../domain/errors/api-errors.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, RequestCheck } from '../http/route.js';
import { repeatedRows } from './check-imported-rows.js';
import type { ImportLinkBody, ImportLinkRequest } from './import.requests.js';

/** Checks an import beyond its schema. Source: native-api 4.9, webhooks 7. */
@Injectable()
export class CheckImport implements RequestCheck {
  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  /** @throws ApiError */
  check({ environment }: Caller, input: unknown): void {
    const { body } = input as InputOf<typeof ImportLinkRequest>;
    const address =
      typeof body.webhook === 'string'
        ? checkWebhookUrl(body.webhook, environment, this.settings)
        : null;
    const issues = [
      ...(address === null ? [] : [address]),
      ...repeatedAccounts(body),
      ...strayRows(body),
      ...repeatedRows(body),
    ];
    if (issues.length > 0) throw validationFailed(issues);
  }
}

function repeatedAccounts({ accounts }: ImportLinkBody): ValidationIssue[] {
  const seen = new Set<string>();
  return accounts.flatMap(({ originalId }, place) => {
    const isRepeated = seen.has(originalId);
    seen.add(originalId);
    return isRepeated
      ? [invalid(['body', 'accounts', place, 'account_id'], 'Must be unique within the import.')]
      : [];
  });
}

function strayRows({ accounts, transactions }: ImportLinkBody): ValidationIssue[] {
  const known = new Set(accounts.map(({ originalId }) => originalId));
  return transactions.flatMap(({ accountOriginalId }, place) =>
    known.has(accountOriginalId) ? [] : [unknownAccount(place)],
  );
}

export function unknownAccount(place: number): ValidationIssue {
  return invalid(['body', 'transactions', place, 'account_id'], 'Account not found.');
}
