import type { Tenant } from '../../../domain/api/environment.js';
import { apiTimestamp } from '../../../domain/api/timestamps.js';
import type { LinkPresentation } from '../../../domain/link/present-link.js';
import { AccountRepository } from '../../links/accounts/account.repository.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import type { Context } from '../../base/context.js';
import { listsFor } from './exported-lists.js';
import { ExportedRows, type ExportedLink } from './exported-rows.js';
import {
  accountsOf,
  openObject,
  presentedTokens,
  presentExportedLink,
  presentSession,
  presentUser,
  renderEvent,
  renderVersion,
} from './render-exported.js';

/**
 * The same facts as the JSON document, one object per line, each with its `type`. The last line has
 * the type `end`: without it the export is incomplete. Source: native-api 3.7.
 */
export class JsonLinesExport {
  private readonly rows: ExportedRows;
  private readonly accounts: AccountRepository;

  constructor(
    private readonly ctx: Context,
    private readonly settings: LinkPresentation,
    private readonly details: ExportedDetails,
  ) {
    this.rows = new ExportedRows(ctx, details);
    this.accounts = new AccountRepository(ctx);
  }

  user(tenant: Tenant, userId: string): AsyncGenerator<string> {
    return counted(this.userLines(tenant, userId));
  }

  link(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    return counted(this.rows.whileStored(tenant, link, this.linkLines(tenant, link)));
  }

  private async *userLines(tenant: Tenant, userId: string): AsyncGenerator<string> {
    const user = await this.rows.user(tenant, userId);
    if (user === null) return;
    yield JSON.stringify({ type: 'customer_user', ...presentUser(user) });
    for await (const link of this.rows.links(user.pk))
      yield* this.rows.whileStored(tenant, link, this.linkLines(tenant, link));
    for await (const session of this.rows.sessions(user.pk)) {
      const { session_id } = session;
      yield JSON.stringify({ type: 'session', ...presentSession(session) });
      for await (const event of this.rows.events(session_id))
        yield renderEvent(event, { type: 'event', session_id });
    }
    for (const token of await presentedTokens(this.ctx, tenant, userId))
      yield JSON.stringify({ type: 'simplefin_token', ...token });
    await this.rows.requireUser(tenant, user);
  }

  private async *linkLines(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    const { view } = link;
    const of = { link_id: view.linkId };
    yield JSON.stringify({ type: 'link', ...of, ...presentExportedLink(link, this.settings) });
    for await (const { accountId, account, balances } of accountsOf(
      this.accounts,
      tenant,
      view.linkId,
      this.details,
    )) {
      yield `${openObject({ type: 'account', ...of })},${account().slice(1)}`;
      for (const balance of balances)
        yield `${openObject({ type: 'balance', ...of, account_id: accountId })},${balance.slice(1)}`;
    }
    for await (const version of this.rows.versions(view))
      yield renderVersion(version, { type: 'transaction', ...of });
    for (const { type, within, entries } of listsFor(this.details))
      for await (const entry of entries(this.ctx, link))
        yield `${openObject({ type, ...of })},${within === undefined ? entry.slice(1) : `"${within}":${entry}}`}`;
    for await (const event of this.rows.events(view.linkId))
      yield renderEvent(event, { type: 'event', ...of });
  }
}

/** Adds the first and the last line. */
async function* counted(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: 'export', exported_at: apiTimestamp(new Date()) })}\n`;
  let count = 0;
  for await (const line of lines) {
    count += 1;
    yield `${line}\n`;
  }
  yield `${JSON.stringify({ type: 'end', lines: count })}\n`;
}
