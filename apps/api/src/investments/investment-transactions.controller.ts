import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { presentLink } from '../../../../domain/link/present-link.js';
import { advanceCursor, encodeCursor } from '../../../../domain/transactions/sync-cursor.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { AccountRepository } from '../../../../prisma/links/accounts/account.repository.js';
import { TradeReader } from '../../../../prisma/links/investments/trade-reader.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { renderAccounts } from '../accounts/render-accounts.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sendJsonText } from '../http/send-json.js';
import { LinkAccess } from '../links/link-access.js';
import { daysOf } from '../transactions/listed-days.js';
import { readSyncCursor, unreadableCursor } from '../transactions/read-sync-cursor.js';
import { ListTransactions, SyncTransactions } from '../transactions/transactions.controller.js';
import { investmentTransactionsDocs } from './investment-transactions.docs.js';

/** Both views of a link's investment transactions, read from stored data only. Source: native-api 3.14. */
@Controller()
export class InvestmentTransactionsController {
  constructor(
    private readonly access: LinkAccess,
    private readonly trades: TradeReader,
    private readonly accounts: AccountRepository,
    private readonly cursorKeys: CursorKeys,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links/:id/investment-transactions', {
    reads: { by: 'page', parameter: 'size', rows: 1000 },
    docs: investmentTransactionsDocs.list,
    scope: 'investments:read',
    input: ListTransactions,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListTransactions>,
    @Res() response: Response,
  ): Promise<void> {
    if (query.end_date !== undefined) daysOf(query, new Date());
    const link = await this.access.findReadable(caller, linkId, 'investments');
    const { total, size, rows, accountIds, securities } = await this.trades.listPage({
      linkPk: link.pk,
      accountIds: query.account_ids,
      ...daysOf(query, link.now),
      page: query.page,
      size: query.size,
    });
    sendJsonText(response, [
      `{"total":${total},"page":${query.page},"size":${size},"investment_transactions":[`,
      rows,
      '],"securities":[',
      securities.join(','),
      '],"accounts":[',
      await renderAccounts(await this.accounts.byIds(caller, link.linkId, accountIds)),
      '],"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }

  @Route('GET /links/:id/investment-transactions/sync', {
    reads: { by: 'page', parameter: 'size', rows: 500 },
    docs: investmentTransactionsDocs.sync,
    scope: 'investments:read',
    input: SyncTransactions,
  })
  async sync(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof SyncTransactions>,
    @Res() response: Response,
  ): Promise<void> {
    const cursor = readSyncCursor(this.cursorKeys, query.cursor, logOf(linkId));
    const read = await this.trades.syncPage({ tenant: caller, linkId, cursor, size: query.size });
    const link = await this.access.admitToRead(caller, linkId, read?.link ?? null, 'investments');
    const page = read?.page ?? null;
    if (read === null || page === null) throw unreadableCursor();
    const next = encodeCursor(
      advanceCursor(cursor, page.highWater, page.lastSeq, page.hasMore),
      logOf(link.linkId),
      this.cursorKeys.currentKeyId,
      this.cursorKeys.mac,
    );
    sendJsonText(response, [
      '{"investment_transactions":{"created":[',
      page.created,
      '],"updated":[',
      page.updated,
      '],"removed":[',
      page.removed,
      `]},"cursor":{"next":"${next}"},"has_more":${page.hasMore},"securities":[`,
      read.securities.join(','),
      '],"accounts":[',
      await renderAccounts(page.accounts),
      '],"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }
}

/** The owner of the cursors: one of `transactions` belongs to the link itself. */
const logOf = (linkId: string): string => `investments/${linkId}`;
