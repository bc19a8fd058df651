import { Injectable } from '@nestjs/common';
import { isItemToken } from '../../../../../domain/plaid/item-token-format.js';
import type { Tenant } from '../../../../../domain/api/environment.js';
import {
  PlaidSessionRepository,
  type PlaidSessionRecord,
} from '../../../../../prisma/plaid/plaid-session.repository.js';

export type { PlaidSessionRecord };

/** Finds a session of the compatibility layer by its token. */
@Injectable()
export class FindPlaidSession {
  constructor(private readonly sessions: PlaidSessionRepository) {}

  /** Null for a token of another tenant, an old one, and any other text. */
  async find(tenant: Tenant, linkToken: string): Promise<PlaidSessionRecord | null> {
    return isItemToken(linkToken, 'link', tenant.environment)
      ? this.sessions.find(tenant, linkToken)
      : null;
  }
}
