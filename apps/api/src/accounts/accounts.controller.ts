import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { renderAccount, renderDayBalances } from '../../../../domain/accounts/present-account.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { AccountRepository } from '../../../../prisma/links/accounts/account.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { day, list } from '../schemas/query.schema.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sendJsonText } from '../http/send-json.js';
import { accountsDocs } from './accounts.docs.js';
import { balanceDays } from './balance-days.js';
import { accountsResponse } from './present-accounts.js';
import { LinkAccess } from '../links/link-access.js';

/** Source: native-api 3.5. */
export const ListAccounts = {
  query: z.object({ account_ids: list.describe('Only these accounts; missing = all.') }),
};

/** Source: native-api 3.5. */
export const ListBalances = {
  query: z.object({
    from: day
      .meta({
        openapi: {
          type: 'string',
          format: 'date',
          description: 'Not after `to`, and at most 730 days before it.',
        },
      })
      .optional(),
    to: day.optional().describe('The last day; missing = today.'),
  }),
};

/** Source: native-api 3.5. */
@Controller()
export class AccountsController {
  constructor(
    private readonly access: LinkAccess,
    private readonly accounts: AccountRepository,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links/:id/accounts', {
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    docs: accountsDocs.list,
    scope: 'transactions:read',
    input: ListAccounts,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListAccounts>,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.access.findReadable(caller, linkId, 'accounts');
    const accounts = await this.accounts.list(caller, link.linkId, query.account_ids);
    sendJsonText(
      response,
      accountsResponse(
        accounts.map((account) => renderAccount(account)),
        link,
        this.settings,
      ),
    );
  }

  @Route('GET /links/:id/accounts/numbers', {
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    docs: accountsDocs.numbers,
    scope: 'numbers:read',
    input: ListAccounts,
  })
  async numbers(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListAccounts>,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.access.findReadable(caller, linkId, 'account_numbers');
    const accounts = await this.accounts.list(caller, link.linkId, query.account_ids);
    const numbers = await this.accounts.numbersOf(link.linkId, accounts);
    const withNumbers = accounts.flatMap((account) => {
      const found = numbers.get(account.accountId);
      return found === undefined ? [] : [renderAccount(account, [`"numbers":${found}`])];
    });
    sendJsonText(response, accountsResponse(withNumbers, link, this.settings));
  }

  @Route('GET /links/:id/identity', {
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    docs: accountsDocs.identity,
    scope: 'identity:read',
    input: ListAccounts,
  })
  async identity(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListAccounts>,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.access.findReadable(caller, linkId, 'identity');
    const accounts = await this.accounts.list(caller, link.linkId, query.account_ids);
    const owners = await this.accounts.ownersOf(accounts);
    const withOwners = accounts.map((account) =>
      renderAccount(account, [`"owners":[${owners.get(account.accountId) ?? ''}]`]),
    );
    sendJsonText(response, accountsResponse(withOwners, link, this.settings));
  }

  @Route('GET /links/:id/accounts/:account_id/balances', {
    reads: { by: 'stored', rows: '731 days' },
    docs: accountsDocs.balances,
    scope: 'transactions:read',
    input: ListBalances,
  })
  async balances(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Param('account_id') accountId: string,
    @Input() { query }: InputOf<typeof ListBalances>,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.access.findReadable(caller, linkId, 'accounts');
    const { from, to } = balanceDays(query, link.now);
    if ((await this.accounts.find(caller, link.linkId, accountId)) === null)
      throw new ApiError('link_error.not_found', { message: 'The link has no such account.' });
    const rows = await this.accounts.balancesOf(caller, accountId, { start: from, end: to });
    const [first] = rows;
    const opening = first !== undefined && first.day < from ? first : null;
    sendJsonText(response, [
      `{"account_id":${JSON.stringify(accountId)},"from":"${from}","to":"${to}",`,
      `"opening":${opening === null ? 'null' : renderDayBalances(opening)},"balances":[`,
      rows
        .filter((row) => row !== opening)
        .map(renderDayBalances)
        .join(','),
      '],"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }

  // Declared after `numbers`, which would otherwise match as an id.
  @Route('GET /links/:id/accounts/:account_id', {
    reads: { by: 'object' },
    docs: accountsDocs.one,
    scope: 'transactions:read',
  })
  async one(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Param('account_id') accountId: string,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.access.findReadable(caller, linkId, 'accounts');
    const account = await this.accounts.find(caller, link.linkId, accountId);
    if (account === null)
      throw new ApiError('link_error.not_found', { message: 'The link has no such account.' });
    sendJsonText(response, [
      '{"account":',
      renderAccount(account),
      ',"link":',
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }
}
