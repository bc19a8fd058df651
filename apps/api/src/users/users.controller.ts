import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { renderAccount } from '../../../../domain/accounts/present-account.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { apiTimestampOrNull } from '../../../../domain/api/timestamps.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { detailsFor } from '../../../../domain/exports/exported-details.js';
import { ExportData } from '../../../../prisma/views/exports/export-data.js';
import { UserDataRepository } from '../../../../prisma/views/users/user-data.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { mapInTurns } from '../http/in-turns.js';
import { sendJsonText } from '../http/send-json.js';
import { exportFormFor } from '../http/export-form.js';
import { streamExport } from '../http/stream-export.js';
import { streamJson } from '../http/stream-json.js';
import { StreamTurns } from '../http/stream-turns.js';
import { daysOf, listedDays } from '../transactions/listed-days.js';
import { usersDocs } from './users.docs.js';
import { EraseUser } from './erase-user.js';
import { UserAccounts } from './user-accounts.js';
import { UserLinks } from './user-links.js';
import { ExportQuery } from '../schemas/export.schema.js';
import { ListUserAccounts, ListUserLinks, ListUserTransactions } from './users.requests.js';

/**
 * The stored data of one of an app's users, by the app's own id of the user. Lists of an unknown user
 * are empty. Source: native-api 3.7.
 */
@Controller()
export class UsersController {
  constructor(
    private readonly links: UserLinks,
    private readonly accounts: UserAccounts,
    private readonly users: UserDataRepository,
    private readonly erasure: EraseUser,
    private readonly exports: ExportData,
    private readonly turns: StreamTurns,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /users/:id/accounts', {
    reads: { by: 'page', parameter: 'limit', rows: 1000, inTurn: true },
    docs: usersDocs.listAccounts,
    scope: 'users:read',
    input: ListUserAccounts,
  })
  async listAccounts(
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Input() { query }: InputOf<typeof ListUserAccounts>,
    @Res() response: Response,
  ): Promise<void> {
    const { members, nextCursor } = await this.accounts.page(caller, userId, query);
    const rendered = await mapInTurns(
      members,
      ({ link: { linkId, lastSyncedAt }, accounts }) => {
        const its = accounts.map((account) => renderAccount(account)).join(',');
        return `"${linkId}":{"accounts":[${its}],"last_synced_at":${JSON.stringify(apiTimestampOrNull(lastSyncedAt))}}`;
      },
      { atOnce: 5 },
    );
    sendJsonText(response, ['{"links":{', rendered.join(','), `},"next_cursor":"${nextCursor}"}`]);
  }

  @Route('GET /users/:id/links', {
    reads: { by: 'page', parameter: 'limit', rows: 1000, inTurn: true },
    docs: usersDocs.listLinks,
    scope: 'users:read',
    input: ListUserLinks,
  })
  async listLinks(
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Input() { query }: InputOf<typeof ListUserLinks>,
    @Res() response: Response,
  ): Promise<void> {
    const { links, nextCursor } = await this.links.page(caller, userId, query);
    const rendered = await mapInTurns(
      links,
      (link) => `"${link.linkId}":${JSON.stringify(presentLink(link, this.settings))}`,
      { atOnce: 50 },
    );
    sendJsonText(response, ['{"links":{', rendered.join(','), `},"next_cursor":"${nextCursor}"}`]);
  }

  @Route('GET /users/:id/transactions', {
    reads: { by: 'page', parameter: 'size', rows: 1000 },
    docs: usersDocs.listTransactions,
    scope: 'users:read',
    input: ListUserTransactions,
  })
  async listTransactions(
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Input() { query }: InputOf<typeof ListUserTransactions>,
    @Res() response: Response,
  ): Promise<void> {
    if (query.end_date !== undefined) daysOf(query, new Date());
    const links = await this.links.readable(caller, userId, 'transactions', query.institution_id);
    const { total, size, rows, accountIds } = await this.users.transactions({
      // The default end is today by the clock of each link, which may be before the start.
      links: links.flatMap((link) => {
        const days = listedDays(query, link.now);
        return days === null ? [] : [{ pk: link.pk, ...days }];
      }),
      accountIds: query.account_id,
      type: query.transaction_type,
      categories: query.category,
      page: query.page,
      size: query.size,
    });
    sendJsonText(response, [
      `{"total":${total},"page":${query.page},"size":${size},"transactions":[`,
      rows,
      '],"accounts":',
      JSON.stringify(await this.accountsOf(links, accountIds)),
      '}',
    ]);
  }

  @Route('DELETE /users/:id', { docs: usersDocs.erase, scope: 'users:write', status: 202 })
  async erase(@CurrentCaller() caller: Caller, @Param('id') userId: string) {
    const permissions = await this.erasure.request(caller, userId);
    return {
      unrevoked_permissions: permissions.map(({ linkId, institutionId, provider }) => ({
        link_id: linkId,
        institution_id: institutionId,
        provider,
      })),
    };
  }

  @Route('GET /users/:id/export', {
    reads: { by: 'stream', rows: 500 },
    docs: usersDocs.export,
    scope: 'users:read',
    input: ExportQuery,
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Input() { query }: InputOf<typeof ExportQuery>,
    @Res() response: Response,
  ): Promise<void> {
    const form = exportFormFor(caller, query);
    const text = this.exports.user(caller, userId, form, detailsFor(caller.scopes));
    if (form.format === 'json')
      return streamJson(response, text, { turns: this.turns, kind: 'export' });
    return streamExport(response, text, {
      turns: this.turns,
      format: form.format,
      name: `user-${userId}`,
    });
  }

  private async accountsOf(links: readonly LinkView[], accountIds: readonly string[]) {
    const byKey = new Map(links.map((link) => [link.pk, link]));
    const accounts = await this.users.accounts(accountIds);
    return Object.fromEntries(
      accounts.flatMap(({ accountId, name, linkPk }) => {
        const link = byKey.get(linkPk);
        return link === undefined
          ? []
          : [
              [
                accountId,
                {
                  name,
                  last_synced_at: apiTimestampOrNull(link.lastSyncedAt),
                  institution_id: link.institutionId,
                  link_id: link.linkId,
                },
              ],
            ];
      }),
    );
  }
}
