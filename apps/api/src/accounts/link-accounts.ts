import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { AccountRecord } from '../../../../domain/accounts/present-account.js';
import { AccountRepository } from '../../../../prisma/accounts/account.repository.js';

/** The accounts of links, with what is known of them, for those who show them in another way than the native calls. */
@Injectable()
export class LinkAccounts {
  constructor(private readonly accounts: AccountRepository) {}

  /** Open accounts the user permits, in the institution's order. */
  open(tenant: Tenant, linkId: string): Promise<AccountRecord[]> {
    return this.accounts.list(tenant, linkId);
  }

  /** All there ever were, closed and withdrawn ones too. */
  all(tenant: Tenant, linkId: string): Promise<AccountRecord[]> {
    return this.accounts.all(tenant, linkId);
  }

  /** Account id → its numbers (native-api 4.5) as JSON; one that has none is left out. */
  numbersOf(
    linkId: string,
    accounts: readonly AccountRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.accounts.numbersOf(linkId, accounts);
  }

  /** Account id → its owners (native-api 4.4) as a JSON fragment; one that has none is left out. */
  ownersOf(accounts: readonly AccountRecord[]): Promise<ReadonlyMap<string, string>> {
    return this.accounts.ownersOf(accounts);
  }
}
