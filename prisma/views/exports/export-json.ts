import type { Tenant } from '../../../domain/api/environment.js';
import { apiTimestamp } from '../../../domain/api/timestamps.js';
import type { LinkPresentation } from '../../../domain/link/present-link.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import type { Context } from '../../base/context.js';
import { AccountRepository } from '../../links/accounts/account.repository.js';
import { listsFor } from './exported-lists.js';
import { ExportedRows, type ExportedLink, type ExportedSession } from './exported-rows.js';
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
 * Everything stored about one customer user or link as one JSON text, fragment by fragment,
 * excluding credentials, tokens and session internals. Source: native-api 3.7.
 */
export class JsonExport {
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

  async *user(tenant: Tenant, userId: string): AsyncGenerator<string> {
    const user = await this.rows.user(tenant, userId);
    yield openObject({
      exported_at: apiTimestamp(new Date()),
      customer_user: user === null ? null : presentUser(user),
    });
    yield ',"links":[';
    if (user !== null)
      yield* separated(this.rows.links(user.pk), (link) =>
        this.rows.whileStored(tenant, link, this.members(tenant, link)),
      );
    yield '],"sessions":[';
    if (user !== null)
      yield* separated(this.rows.sessions(user.pk), (session) => this.session(session));
    const tokens = await presentedTokens(this.ctx, tenant, userId);
    if (user !== null) await this.rows.requireUser(tenant, user);
    yield `],"simplefin_tokens":${JSON.stringify(tokens)}}`;
  }

  async *link(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    yield `${openObject({ exported_at: apiTimestamp(new Date()) })},`;
    let isFirst = true;
    for await (const fragment of this.rows.whileStored(tenant, link, this.members(tenant, link))) {
      yield isFirst ? fragment.slice(1) : fragment;
      isFirst = false;
    }
  }

  private async *members(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    const { view } = link;
    yield openObject(presentExportedLink(link, this.settings));
    yield ',"accounts":[';
    yield* separated(
      accountsOf(this.accounts, tenant, view.linkId, this.details),
      ({ account, balances }) => account(`"balance_history":[${balances.join(',')}]`),
    );
    yield '],"transactions":[';
    yield* separated(this.rows.versions(view), (version) => renderVersion(version));
    for (const { member, entries } of listsFor(this.details)) {
      yield `],"${member}":[`;
      yield* separated(entries(this.ctx, link), (entry) => entry);
    }
    yield '],"webhook_events":[';
    yield* separated(this.rows.events(view.linkId), (event) => renderEvent(event));
    yield ']}';
  }

  private async *session(session: ExportedSession): AsyncGenerator<string> {
    yield `${openObject(presentSession(session))},"webhook_events":[`;
    yield* separated(this.rows.events(session.session_id), (event) => renderEvent(event));
    yield ']}';
  }
}

/** The fragments of each entry, with commas between entries. */
async function* separated<T>(
  entries: AsyncIterable<T>,
  render: (entry: T) => string | AsyncIterable<string>,
): AsyncGenerator<string> {
  let separator = '';
  for await (const entry of entries) {
    const rendered = render(entry);
    if (typeof rendered === 'string') {
      yield separator + rendered;
    } else {
      yield separator;
      yield* rendered;
    }
    separator = ',';
  }
}
