import { HttpException, Inject, Injectable } from '@nestjs/common';
import type { AccountRecord } from '../../../../domain/accounts/present-account.js';
import { addDays, utcDay } from '../../../../domain/api/timestamps.js';
import type { Product } from '../../../../domain/link/products.js';
import type { AccountRequest } from '../../../../domain/simplefin/account-request.js';
import { ConnectionNames } from '../../../../domain/simplefin/connection-names.js';
import {
  presentAccount,
  presentConnection,
  type AccountOrigin,
} from '../../../../domain/simplefin/present-account.js';
import { presentHolding } from '../../../../domain/simplefin/present-holding.js';
import { presentRow } from '../../../../domain/simplefin/present-row.js';
import { tooMuchShared } from '../../../../domain/simplefin/response-bounds.js';
import { simplefinServerAt } from '../../../../domain/simplefin/setup-token.js';
import {
  errorsOfLink,
  unknownAccount,
  withoutBalance,
  withoutConversion,
  type SharedError,
} from '../../../../domain/simplefin/shared-errors.js';
import {
  AccountRepository,
  type AccountPage,
} from '../../../../prisma/links/accounts/account.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { SimplefinHoldingRepository } from '../../../../prisma/views/simplefin/simplefin-holding.repository.js';
import { SimplefinRowRepository } from '../../../../prisma/views/simplefin/simplefin-row.repository.js';
import type { SimplefinAccess } from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { UserDataRepository } from '../../../../prisma/views/users/user-data.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { reads } from '../links/readable.js';

/** Days of rows in a request without a start. */
const DEFAULT_DAYS = 90;

/** Links, and accounts of a link, that are read by one statement. */
const PAGE = { links: 50, accounts: 500 };

interface SharedAccount {
  link: LinkView;
  origin: AccountOrigin;
  account: AccountRecord;
  /** The day of its list of holdings; null = its holdings are not known. */
  holdingsAsOf: string | null;
  shown: Record<string, unknown>;
}

/** What a response says besides its accounts, which stand before it. */
interface Remarks {
  errors: SharedError[];
  connections: object[];
  /** Accounts of the request that were found. */
  found: number;
}

/** More than a response shows: a client error in words. */
export class TooMuchShared extends HttpException {
  constructor(message: string) {
    super(message, 400);
  }
}

/** The accounts of a user as a SimpleFIN account set: what `/users/{id}/…` returns, in another form. */
@Injectable()
export class ShareAccounts {
  private readonly sfinUrl: string;

  constructor(
    private readonly users: UserDataRepository,
    private readonly accounts: AccountRepository,
    private readonly rows: SimplefinRowRepository,
    private readonly holdings: SimplefinHoldingRepository,
    @Inject(SETTINGS) { baseUrl }: ApiSettings,
  ) {
    this.sfinUrl = simplefinServerAt(baseUrl);
  }

  /** The response as JSON text, while its links are read one after the other. @throws TooMuchShared */
  async *fragments(access: SimplefinAccess, request: AccountRequest): AsyncGenerator<string> {
    const refusal = tooMuchShared(await this.rows.count(access, request, DEFAULT_DAYS));
    if (refusal !== null) throw new TooMuchShared(refusal);
    const remarks: Remarks = { errors: [], connections: [], found: 0 };
    yield '{"accounts":[';
    let separator = '';
    for await (const { link, origin } of this.linksOf(access)) {
      remarks.errors.push(...errorsOfLink(link, origin.connectionName));
      remarks.connections.push(presentConnection(origin, this.sfinUrl));
      for await (const each of this.accountsOf(link, origin, request, remarks)) {
        yield `${separator}${JSON.stringify(each.shown).slice(0, -1)},"transactions":[`;
        yield* this.rowsOf(each, request, remarks);
        // Actual reads the holdings of every account.
        yield '],"holdings":[';
        yield* this.holdingsOf(each);
        yield ']}';
        separator = ',';
      }
    }
    if (remarks.found < request.accounts.size) remarks.errors.push(unknownAccount);
    const { errors, connections } = remarks;
    yield request.version === 1
      ? `],"errors":${JSON.stringify(errors.map(({ msg }) => msg))}}`
      : `],"errlist":${JSON.stringify(errors)},"connections":${JSON.stringify(connections)}}`;
  }

  /** The exchanged links that connected at least once; a failed attempt has nothing to show. */
  private async *linksOf(
    access: SimplefinAccess,
  ): AsyncGenerator<{ link: LinkView; origin: AccountOrigin }> {
    const names = new ConnectionNames();
    for (let after = 0n; ;) {
      const { links, hasMore } = await this.users.links(access, access.userId, {
        after,
        limit: PAGE.links,
      });
      const shown = links.filter(
        ({ state, everConnected }) => state === 'connected' || (state === 'error' && everConnected),
      );
      const domains = await this.rows.domains(shown.map(({ institutionId }) => institutionId));
      for (const link of shown)
        yield {
          link,
          origin: {
            linkId: link.linkId,
            institutionId: link.institutionId,
            institutionName: link.institutionName,
            connectionName: names.next(link.institutionName),
            institutionDomain: domains.get(link.institutionId) ?? null,
            refreshedAt:
              productOf(link, 'accounts')?.refreshedAt ?? link.lastSyncedAt ?? link.createdAt,
          },
        };
      after = links.at(-1)?.pk ?? after;
      if (!hasMore) return;
    }
  }

  /** @param remarks receives errors of accounts that cannot be shown, and counts those that were asked for */
  private async *accountsOf(
    link: LinkView,
    origin: AccountOrigin,
    { version, accounts: wanted }: AccountRequest,
    remarks: Remarks,
  ): AsyncGenerator<SharedAccount> {
    if (!reads(link, 'accounts')) return;
    for (let after: bigint | null = 0n; after !== null;) {
      const { byLink, next }: AccountPage = await this.accounts.firstOf([link.pk], {
        ...(wanted.size === 0 ? {} : { accountIds: [...wanted] }),
        after,
        limit: PAGE.accounts,
      });
      const listed = byLink.get(link.pk) ?? [];
      const heldOn = reads(link, 'investments')
        ? (productOf(link, 'investments')?.refreshedAt ?? null)
        : null;
      const holders = await this.holdings.listed(
        heldOn === null ? [] : listed.map(({ accountId }) => accountId),
      );
      for (const account of listed) {
        remarks.found += 1;
        const isListed = heldOn !== null && holders.has(account.accountId);
        const holdingsAsOf = isListed ? utcDay(heldOn) : null;
        const sfinUrl = this.sfinUrl;
        const shown = presentAccount(account, origin, { version, sfinUrl, holdingsAsOf });
        if (shown === null) remarks.errors.push(withoutBalance(account, origin.connectionName));
        else yield { link, origin, account, holdingsAsOf, shown };
      }
      after = next?.after ?? null;
    }
  }

  /** @param remarks receives an error for rows that are not in the currency of their account */
  private async *rowsOf(
    { link, origin, account }: SharedAccount,
    { balancesOnly, pending, first, last }: AccountRequest,
    remarks: Remarks,
  ): AsyncGenerator<string> {
    if (balancesOnly || !reads(link, 'transactions')) return;
    const start = first ?? addDays(last ?? utcDay(link.now), 1 - DEFAULT_DAYS);
    const { accountId, currency } = account;
    const query = { linkPk: link.pk, accountId, currency, first: start, last, pending };
    const unconverted = new Set<string>();
    let separator = '';
    for await (const page of this.rows.pages(query)) {
      if (page.length === 0) break;
      const rows = page.map((row) => {
        const { shown, isInCurrency } = presentRow(row, currency);
        if (!isInCurrency) unconverted.add(row.currency);
        return JSON.stringify(shown);
      });
      yield separator + rows.join(',');
      separator = ',';
    }
    if (unconverted.size > 0)
      remarks.errors.push(withoutConversion(account, origin.connectionName, unconverted));
  }

  private async *holdingsOf({
    link,
    account,
    holdingsAsOf,
  }: SharedAccount): AsyncGenerator<string> {
    if (holdingsAsOf === null) return;
    let separator = '';
    for await (const page of this.holdings.pages(link.pk, account.accountId)) {
      if (page.length === 0) break;
      yield separator + page.map((held) => JSON.stringify(presentHolding(held))).join(',');
      separator = ',';
    }
  }
}

const productOf = (link: LinkView, product: Product) =>
  link.products.find((granted) => granted.product === product);
