import { Injectable } from '@nestjs/common';
import type { AccountRecord } from '../../../../domain/accounts/present-account.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import { AccountRepository } from '../../../../prisma/links/accounts/account.repository.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { UserDataRepository } from '../../../../prisma/views/users/user-data.repository.js';
import { reads } from '../links/readable.js';
import { encodeLinkCursor, nextLinkCursor, readLinkCursor } from './user-links-cursor.js';

interface PageRequest {
  cursor?: string | undefined;
  limit: number;
  institution_ids?: readonly string[] | undefined;
  account_ids?: readonly string[] | undefined;
}

interface LinkAccounts {
  link: LinkView;
  accounts: readonly AccountRecord[];
}

/**
 * The accounts of a customer user by link. A page holds at most `limit` accounts and as many links; it shows a link
 * whole, unless the link alone has more. Positions are keys, so a page neither repeats nor skips an account,
 * whatever changes between two pages. Source: native-api 3.7.
 */
@Injectable()
export class UserAccounts {
  constructor(
    private readonly users: UserDataRepository,
    private readonly accounts: AccountRepository,
    private readonly keys: CursorKeys,
  ) {}

  /** @throws ApiError */
  async page(
    tenant: Tenant,
    userId: string,
    { cursor, limit, institution_ids: institutionIds, account_ids: accountIds }: PageRequest,
  ): Promise<{ members: LinkAccounts[]; nextCursor: string }> {
    const lists = { keys: this.keys, tenant, userId };
    const start = readLinkCursor(lists, cursor);
    const page = await this.users.links(tenant, userId, {
      institutionIds,
      after: start?.accountPk === undefined ? start?.linkPk : start.linkPk - 1n,
      limit,
    });
    const readable = page.links.filter((link) => reads(link, 'accounts'));
    const isContinued = readable[0]?.pk === start?.linkPk;
    const { byLink, next } = await this.accounts.firstOf(
      readable.map(({ pk }) => pk),
      { accountIds, limit, ...(isContinued ? { after: start?.accountPk ?? 0n } : {}) },
    );
    const members = readable
      .filter(({ pk }) => next === null || pk < next.linkPk || byLink.has(pk))
      .map((link) => ({ link, accounts: byLink.get(link.pk) ?? [] }));
    if (next === null) return { members, nextCursor: nextLinkCursor(lists, page) };
    const { linkPk, after } = next;
    return {
      members,
      nextCursor: encodeLinkCursor(
        lists,
        after === null ? { linkPk: linkPk - 1n } : { linkPk, accountPk: after },
      ),
    };
  }
}
