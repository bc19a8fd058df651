import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { AccountRecord } from '../../../../domain/accounts/present-account.js';
import { AccountRepository } from '../../../../prisma/accounts/account.repository.js';

/**
 * The accounts of links and their details, for callers that present them in other formats than the
 * native API.
 */
@Injectable()
export class LinkAccounts {
  constructor(private readonly accounts: AccountRepository) {}

  /** Open, permitted accounts, in the institution's order. */
  open(tenant: Tenant, linkId: string): Promise<AccountRecord[]> {
    return this.accounts.list(tenant, linkId);
  }

  /** All accounts, including closed and withdrawn ones. */
  all(tenant: Tenant, linkId: string): Promise<AccountRecord[]> {
    return this.accounts.all(tenant, linkId);
  }

  /** Maps account ids to their numbers (native-api 4.5) as JSON. Omits accounts without numbers. */
  numbersOf(
    linkId: string,
    accounts: readonly AccountRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.accounts.numbersOf(linkId, accounts);
  }

  /**
   * Maps account ids to their owners (native-api 4.4) as a JSON fragment. Omits accounts without
   * owners.
   */
  ownersOf(accounts: readonly AccountRecord[]): Promise<ReadonlyMap<string, string>> {
    return this.accounts.ownersOf(accounts);
  }
}
