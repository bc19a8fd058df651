import { Inject, Injectable } from '@nestjs/common';
import { invalid, type ValidationIssue } from '../../../../domain/errors/api-errors.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, ShapeCheck } from '../http/route.js';
import type { ImportLinkBody, ImportLinkRequest } from './import.requests.js';

/** Checks an import beyond its schema. Source: native-api 4.9, webhooks 7. */
@Injectable()
export class CheckImport implements ShapeCheck {
  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  issuesOf({ environment }: Caller, input: unknown): ValidationIssue[] {
    const { body } = input as InputOf<typeof ImportLinkRequest>;
    const address =
      typeof body.webhook === 'string'
        ? checkWebhookUrl(body.webhook, environment, this.settings)
        : null;
    return [...(address === null ? [] : [address]), ...repeatedAccounts(body), ...strayRows(body)];
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
  return invalid(['body', 'transactions', place, 'account_id'], 'There is no such account.');
}
