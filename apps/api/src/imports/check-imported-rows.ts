import { Injectable } from '@nestjs/common';
import {
  invalid,
  validationFailed,
  type ValidationIssue,
} from '../../../../domain/errors/api-errors.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, RequestCheck } from '../http/route.js';
import type { ImportLinkBody, ImportTransactionsRequest } from './import.requests.js';

/** Checks rows for an imported link beyond their schema. Source: native-api 4.9. */
@Injectable()
export class CheckImportedRows implements RequestCheck {
  /** @throws ApiError */
  check(_: Caller, input: unknown): void {
    const { body } = input as InputOf<typeof ImportTransactionsRequest>;
    const issues = repeatedRows(body);
    if (issues.length > 0) throw validationFailed(issues);
  }
}

/** Rows that would replace another one of the same request. */
export function repeatedRows({
  transactions,
}: Pick<ImportLinkBody, 'transactions'>): ValidationIssue[] {
  const seen = new Set<string>();
  return transactions.flatMap(({ accountOriginalId, originalId }, place) => {
    if (originalId === null) return [];
    const row = JSON.stringify([accountOriginalId, originalId]);
    if (!seen.has(row)) {
      seen.add(row);
      return [];
    }
    const location = ['body', 'transactions', place, 'transaction_id'];
    return [invalid(location, 'Must be unique within the account and the import.')];
  });
}
