import { Inject, Injectable } from '@nestjs/common';
import type { AccountRecord } from '../../../../domain/accounts/present-account.js';
import { addDays, utcDay } from '../../../../domain/api/timestamps.js';
import type { AccountRequest } from '../../../../domain/simplefin/account-request.js';
import {
  presentAccount,
  presentConnection,
  type AccountOrigin,
} from '../../../../domain/simplefin/present-account.js';
import { presentRow } from '../../../../domain/simplefin/present-row.js';
import { simplefinServerAt } from '../../../../domain/simplefin/setup-token.js';
import {
  errorsOfLink,
  unknownAccount,
  withoutBalance,
  type SharedError,
} from '../../../../domain/simplefin/shared-errors.js';
import { AccountRepository } from '../../../../prisma/accounts/account.repository.js';
import type { LinkView } from '../../../../prisma/links/link-view.js';
import { SimplefinRowRepository } from '../../../../prisma/simplefin/simplefin-row.repository.js';
import type { SimplefinAccess } from '../../../../prisma/simplefin/simplefin-token.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { isReadable } from '../links/readable.js';
import { UserLinks } from '../users/user-links.js';

/** Days of rows in a request without a start. */
const DEFAULT_DAYS = 90;

interface SharedAccount {
  link: LinkView;
  account: AccountRecord;
  shown: Record<string, unknown>;
}

/** The accounts of a user as a SimpleFIN account set: what `/users/{id}/…` returns, in another form. */
@Injectable()
export class ShareAccounts {
  private readonly sfinUrl: string;

  constructor(
    private readonly links: UserLinks,
    private readonly accounts: AccountRepository,
    private readonly rows: SimplefinRowRepository,
    @Inject(SETTINGS) { baseUrl }: ApiSettings,
  ) {
    this.sfinUrl = simplefinServerAt(baseUrl);
  }

  /** The response as JSON text, while its rows are read. */
  async *fragments(access: SimplefinAccess, request: AccountRequest): AsyncGenerator<string> {
    const links = await this.linksOf(access);
    const origins = await this.originsOf(links);
    const errors = links.flatMap(errorsOfLink);
    const shared = await this.accountsOf(links, origins, request, errors);
    yield request.version === 1
      ? `{"errors":${JSON.stringify(errors.map(({ msg }) => msg))}`
      : `{"errlist":${JSON.stringify(errors)},"connections":${JSON.stringify(
          [...origins.values()].map((origin) => presentConnection(origin, this.sfinUrl)),
        )}`;
    let separator = ',"accounts":[';
    for (const each of shared) {
      yield `${separator}${JSON.stringify(each.shown).slice(0, -1)},"transactions":[`;
      yield* this.rowsOf(each, request);
      // Actual reads the holdings of every account.
      yield '],"holdings":[]}';
      separator = ',';
    }
    yield shared.length === 0 ? ',"accounts":[]}' : ']}';
  }

  /** The exchanged links that connected at least once; a failed attempt has nothing to show. */
  private async linksOf(access: SimplefinAccess): Promise<LinkView[]> {
    const links = await this.links.all(access, access.userId);
    return links.filter(
      ({ state, everConnected }) => state === 'connected' || (state === 'error' && everConnected),
    );
  }

  private async originsOf(links: readonly LinkView[]): Promise<Map<bigint, AccountOrigin>> {
    const domains = await this.rows.domains(links.map(({ institutionId }) => institutionId));
    return new Map(
      links.map((link) => [
        link.pk,
        {
          linkId: link.linkId,
          institutionId: link.institutionId,
          institutionName: link.institutionName,
          institutionDomain: domains.get(link.institutionId) ?? null,
          refreshedAt:
            productOf(link, 'accounts')?.refreshedAt ?? link.lastSyncedAt ?? link.createdAt,
        },
      ]),
    );
  }

  /** @param errors receives those of accounts that cannot be shown */
  private async accountsOf(
    links: readonly LinkView[],
    origins: ReadonlyMap<bigint, AccountOrigin>,
    { version, accounts: wanted }: AccountRequest,
    errors: SharedError[],
  ): Promise<SharedAccount[]> {
    const readable = links.filter((link) => reads(link, 'accounts'));
    const byLink = await this.accounts.ofLinks(readable.map(({ pk }) => pk));
    const stored = readable.flatMap((link) =>
      (byLink.get(link.pk) ?? []).map((account) => ({ link, account })),
    );
    const asked = stored.filter(
      ({ account }) => wanted.size === 0 || wanted.has(account.accountId),
    );
    if (asked.length < wanted.size) errors.push(unknownAccount);
    return asked.flatMap(({ link, account }) => {
      const origin = origins.get(link.pk);
      if (origin === undefined) return [];
      const shown = presentAccount(account, origin, { version, sfinUrl: this.sfinUrl });
      if (shown !== null) return [{ link, account, shown }];
      errors.push(withoutBalance(account, link.institutionName));
      return [];
    });
  }

  private async *rowsOf(
    { link, account: { accountId } }: SharedAccount,
    { balancesOnly, pending, first, last }: AccountRequest,
  ): AsyncGenerator<string> {
    if (balancesOnly || !reads(link, 'transactions')) return;
    const start = first ?? addDays(last ?? utcDay(link.now), 1 - DEFAULT_DAYS);
    const query = { linkPk: link.pk, accountId, first: start, last, pending };
    let separator = '';
    for await (const page of this.rows.pages(query)) {
      if (page.length === 0) return;
      yield separator + page.map((row) => JSON.stringify(presentRow(row))).join(',');
      separator = ',';
    }
  }
}

const productOf = (link: LinkView, product: 'accounts' | 'transactions') =>
  link.products.find((granted) => granted.product === product);

function reads(link: LinkView, product: 'accounts' | 'transactions'): boolean {
  const granted = productOf(link, product);
  return granted !== undefined && isReadable(link, granted);
}
