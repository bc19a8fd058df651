import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { freshnessOfProduct, presentLink } from '../../../../domain/link/present-link.js';
import { advanceCursor, encodeCursor } from '../../../../domain/transactions/sync-cursor.js';
import { AccountRepository } from '../../../../prisma/links/accounts/account.repository.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { TransactionReader } from '../../../../prisma/links/transactions/transaction-reader.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { entityTag, holdsTag, letCache, sendNotModified } from '../http/entity-tag.js';
import { headerNames } from '../http/header-names.js';
import { MAX_POSITION } from '../schemas/position.schema.js';
import { cursor, day, list, startDay, wholeNumber } from '../schemas/query.schema.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sendJsonText } from '../http/send-json.js';
import { renderAccounts } from '../accounts/render-accounts.js';
import { LinkAccess } from '../links/link-access.js';
import { transactionsDocs } from './transactions.docs.js';
import { daysOf } from './listed-days.js';
import { readSyncCursor, unreadableCursor } from './read-sync-cursor.js';

export const ListTransactions = {
  query: z.object({
    account_ids: list.describe('Only transactions of these accounts; missing = all.'),
    page: wholeNumber({ min: 1, max: MAX_POSITION, fallback: 1 }).describe('The page, from 1.'),
    size: wholeNumber({ min: 1, max: 1000, fallback: 50 }).describe('Rows of a page.'),
    start_date: startDay,
    end_date: day.optional().describe('The last day, inclusive; missing = today.'),
  }),
};
export const SyncTransactions = {
  query: z.object({
    cursor,
    size: wholeNumber({ min: 1, max: 500, fallback: 50 }).describe(
      'Changes of a page, whatever their kind.',
    ),
  }),
};

/** Both views of a link's transactions, read from stored data only. Source: native-api 3.6. */
@Controller()
export class TransactionsController {
  private readonly versionHeader: string;

  constructor(
    private readonly access: LinkAccess,
    private readonly reader: TransactionReader,
    private readonly accounts: AccountRepository,
    private readonly cursorKeys: CursorKeys,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {
    this.versionHeader = headerNames(settings.headerPrefix).version;
  }

  @Route('GET /links/:id/transactions', {
    reads: { by: 'page', parameter: 'size', rows: 1000 },
    docs: transactionsDocs.list,
    scope: 'transactions:read',
    input: ListTransactions,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListTransactions>,
    @Res() response: Response,
  ): Promise<void> {
    if (query.end_date !== undefined) daysOf(query, new Date());
    const link = await this.access.findReadable(caller, linkId, 'transactions');
    const days = daysOf(query, link.now);
    const { total, size, rows, accountIds } = await this.reader.listPage({
      linkPk: link.pk,
      accountIds: query.account_ids,
      ...days,
      page: query.page,
      size: query.size,
    });
    sendJsonText(response, [
      `{"total":${total},"page":${query.page},"size":${size},"transactions":[`,
      rows,
      '],"accounts":[',
      await renderAccounts(await this.accounts.byIds(caller, link.linkId, accountIds)),
      '],"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }

  @Route('GET /links/:id/transactions/sync', {
    reads: { by: 'page', parameter: 'size', rows: 500 },
    docs: transactionsDocs.sync,
    scope: 'transactions:read',
    input: SyncTransactions,
  })
  async sync(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof SyncTransactions>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const cursor = readSyncCursor(this.cursorKeys, query.cursor, linkId);
    const known = request.headers['if-none-match'];
    const tagOf = (link: LinkView) =>
      entityTag([
        link.revision,
        link.headSeq,
        link.nextDueAt?.getTime(),
        ...link.products.map((product) => freshnessOfProduct(product, link, this.settings).isStale),
        query.cursor ?? '',
        query.size,
        response.getHeader(this.versionHeader),
      ]);
    if (known !== undefined) {
      const tag = tagOf(await this.access.findReadable(caller, linkId, 'transactions'));
      if (holdsTag(known, tag)) return sendNotModified(response, tag);
    }
    const read = await this.reader.syncPage({ tenant: caller, linkId, cursor, size: query.size });
    const link = await this.access.admitToRead(caller, linkId, read?.link ?? null, 'transactions');
    const page = read?.page ?? null;
    if (page === null) throw unreadableCursor();
    const next = encodeCursor(
      advanceCursor(cursor, page.highWater, page.lastSeq, page.hasMore),
      link.linkId,
      this.cursorKeys.currentKeyId,
      this.cursorKeys.mac,
    );
    letCache(response, tagOf(link));
    sendJsonText(response, [
      '{"transactions":{"created":[',
      page.created,
      '],"updated":[',
      page.updated,
      '],"removed":[',
      page.removed,
      `]},"cursor":{"next":"${next}"},"has_more":${page.hasMore},"accounts":[`,
      await renderAccounts(page.accounts),
      '],"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }

  @Route('GET /links/:id/transactions/:transaction_id/numbers', {
    reads: { by: 'object' },
    docs: transactionsDocs.numbers,
    scope: 'numbers:read',
  })
  async numbers(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Param('transaction_id') transactionId: string,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.access.findReadable(caller, linkId, 'transactions');
    const numbers = await this.reader.numbers(link, transactionId);
    if (numbers === null)
      throw new ApiError('link_error.not_found', { message: 'The link has no such transaction.' });
    sendJsonText(response, [
      `{"transaction_id":${JSON.stringify(transactionId)},"counterparty":`,
      numbers.counterparty ?? 'null',
      ',"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }
}
