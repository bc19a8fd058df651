import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import { renderAccount, renderDayBalances } from '../../../../domain/accounts/present-account.js';
import { presentSimplefinToken } from '../../../../domain/simplefin/present-token.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { apiTimestamp, apiTimestampOrNull } from '../../../../domain/api/timestamps.js';
import type { CustomerUser, LinkSession } from '../../../../prisma/generated/client.js';
import { AccountRepository } from '../../../../prisma/accounts/account.repository.js';
import {
  UserExportRepository,
  type ExportedEvent,
  type ExportedLink,
  type ExportedVersion,
} from '../../../../prisma/users/user-export.repository.js';
import { SimplefinTokenRepository } from '../../../../prisma/simplefin/simplefin-token.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';

const EVERY_DAY = { start: '0001-01-01', end: '9999-12-31' };

/**
 * Everything stored about one customer user as one JSON text, fragment by fragment, excluding
 * credentials, tokens and session internals. Source: native-api 3.7.
 */
@Injectable()
export class ExportUser {
  constructor(
    private readonly users: UserExportRepository,
    private readonly accounts: AccountRepository,
    private readonly tokens: SimplefinTokenRepository,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  async *fragments(tenant: Tenant, userId: string): AsyncGenerator<string> {
    const user = await this.users.user(tenant, userId);
    yield openObject({
      exported_at: apiTimestamp(new Date()),
      customer_user: user === null ? null : presentUser(user),
    });
    yield ',"links":[';
    if (user !== null)
      yield* separated(this.users.links(user.pk), (link) => this.link(tenant, link));
    yield '],"sessions":[';
    if (user !== null)
      yield* separated(this.users.sessions(user.pk), (session) => this.session(session));
    yield `],"simplefin_tokens":${JSON.stringify(await this.tokensOf(tenant, userId))}}`;
  }

  private async tokensOf(tenant: Tenant, userId: string) {
    const tokens = await this.tokens.list(tenant, userId);
    return tokens.map((token) => presentSimplefinToken(token, new Date()));
  }

  private async *link(tenant: Tenant, { view, times }: ExportedLink): AsyncGenerator<string> {
    yield openObject({
      link: presentLink(view, this.settings),
      created_at: apiTimestamp(times.createdAt),
      connected_at: apiTimestampOrNull(times.connectedAt),
      imported_at: apiTimestampOrNull(times.importedAt),
      deleted_at: apiTimestampOrNull(times.deletedAt),
    });
    yield ',"accounts":[';
    yield* this.accountsOf(tenant, view.linkId);
    yield '],"transactions":[';
    yield* separated(this.users.versions(view), renderVersion);
    yield '],"webhook_events":[';
    yield* separated(this.users.events(view.linkId), renderEvent);
    yield ']}';
  }

  private async *accountsOf(tenant: Tenant, linkId: string): AsyncGenerator<string> {
    const accounts = await this.accounts.all(tenant, linkId);
    const [owners, numbers] = [
      await this.accounts.ownersOf(accounts),
      await this.accounts.numbersOf(linkId, accounts),
    ];
    for (const [index, account] of accounts.entries()) {
      const history = await this.accounts.balancesOf(tenant, account.accountId, EVERY_DAY);
      yield (
        (index === 0 ? '' : ',') +
        renderAccount(account, [
          `"owners":[${owners.get(account.accountId) ?? ''}]`,
          `"numbers":${numbers.get(account.accountId) ?? 'null'}`,
          `"balance_history":[${history.map(renderDayBalances).join(',')}]`,
        ])
      );
    }
  }

  private async *session(
    session: LinkSession & { link: { linkId: string } | null },
  ): AsyncGenerator<string> {
    yield `${openObject(presentSession(session))},"webhook_events":[`;
    yield* separated(this.users.events(session.sessionId), renderEvent);
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

function presentUser({ userId, email, phone, createdAt, lastUsedAt }: CustomerUser) {
  return {
    id: userId,
    email,
    phone,
    created_at: apiTimestamp(createdAt),
    last_used_at: apiTimestamp(lastUsedAt),
  };
}

function presentSession(session: LinkSession & { link: { linkId: string } | null }) {
  return {
    session_id: session.sessionId,
    mode: session.mode,
    state: session.state,
    end_reason: session.endReason,
    created_at: apiTimestamp(session.createdAt),
    opened_at: apiTimestampOrNull(session.openedAt),
    ended_at: apiTimestampOrNull(session.endedAt),
    link_id: session.link?.linkId ?? session.existingLinkId,
    institution_id: session.institutionId,
    products: session.products,
    tags: session.tags,
    webhook: session.webhook,
    redirect_uri: session.redirectUri,
    theme: session.theme,
    custom_sandbox_data: session.sandboxData,
  };
}

/**
 * The body of a transaction already is its public JSON: exact decimals would not survive parsing.
 */
function renderVersion({ body, counterpartyNumbers, ...version }: ExportedVersion): string {
  const { seq, replaced, removed, transaction_id } = version;
  const facts = { seq: Number(seq), replaced, removed, transaction_id };
  const numbers = counterpartyNumbers ?? 'null';
  return `${openObject(facts)},"transaction":${removed ? 'null' : body},"counterparty_numbers":${numbers}}`;
}

function renderEvent({ event_id, webhook_event, created_at, body }: ExportedEvent): string {
  const facts = { event_id, webhook_event, created_at: apiTimestamp(created_at) };
  return `${openObject(facts)},"body":${body}}`;
}

/** The start of a JSON object to which more members are appended. */
function openObject(members: object): string {
  return JSON.stringify(members).slice(0, -1);
}
