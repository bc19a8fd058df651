import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../http/request-state.js';
import { FindInstitutions } from '../../../institutions/find-institutions.js';
import { FindPlaidSession, type PlaidSessionRecord } from '../../../link-sessions/find-plaid-session.js';
import { LinkAccounts } from '../../../reads/link-accounts.js';
import { PlaidError } from '../errors/plaid-error.js';
import { plaidAccountType } from '../../../../../../domain/plaid/account-type.js';

/** What became of a link_token. Source: plaid-compat 7. */
@Injectable()
export class ShowLinkToken {
  constructor(private readonly sessions: FindPlaidSession, private readonly accounts: LinkAccounts, private readonly institutions: FindInstitutions) {}

  /** @throws PlaidError */
  async show(caller: Caller, linkToken: string) {
    const session = await this.sessions.find(caller, linkToken);
    if (session === null) throw new PlaidError('INVALID_LINK_TOKEN');
    const { plaid, webhook, createdAt, expiresAt, openedAt } = session;
    return {
      link_token: linkToken,
      created_at: createdAt.toISOString(),
      expiration: expiresAt.toISOString(),
      metadata: {
        initial_products: plaid.initialProducts, webhook, country_codes: plaid.countryCodes, language: plaid.language, redirect_uri: plaid.redirectUri, client_name: plaid.clientName,
        ...(plaid.accountFilters === null ? {} : { account_filters: plaid.accountFilters }),
      },
      link_sessions: openedAt === null ? [] : [await this.run(caller, session, openedAt)],
    };
  }

  private async run(caller: Caller, session: PlaidSessionRecord, openedAt: Date) {
    const { sessionId, endedAt, result } = session;
    const institution = await this.institutionOf(caller, session);
    const finishedAt = result?.at ?? endedAt;
    const exit = result === null && endedAt !== null ? { error: null, metadata: { institution, link_session_id: sessionId, request_id: sessionId, status: null } } : null;
    return {
      link_session_id: sessionId,
      started_at: openedAt.toISOString(),
      finished_at: finishedAt?.toISOString() ?? null,
      results: result === null ? null : {
        item_add_results: [{ public_token: result.publicToken, accounts: await this.accountsOf(caller, result.linkId), institution }],
        cra_item_add_results: [], cra_update_results: [], bank_income_results: [], payroll_income_results: [], document_income_results: null,
      },
      exit,
      events: [
        eventOf(session, 'OPEN', openedAt),
        ...(finishedAt === null ? [] : [eventOf(session, exit === null ? 'HANDOFF' : 'EXIT', finishedAt)]),
      ],
    };
  }

  private async institutionOf({ environment }: Caller, { institutionId, plaid }: PlaidSessionRecord) {
    const found = institutionId === null ? null : await this.institutions.find(environment, institutionId);
    return found === null ? null : { name: found.name, institution_id: plaid.institutionAlias ?? found.institutionId };
  }

  private async accountsOf(caller: Caller, linkId: string) {
    const accounts = await this.accounts.open(caller, linkId);
    return accounts.map(({ accountId, name, mask, accountType }) => ({ id: accountId, name, mask, ...plaidAccountType(accountType), verification_status: null, class_type: null }));
  }
}

function eventOf({ sessionId }: PlaidSessionRecord, name: 'OPEN' | 'HANDOFF' | 'EXIT', at: Date) {
  const timestamp = at.toISOString();
  return { event_name: name, event_id: `${sessionId}-${name.toLowerCase()}`, timestamp, event_metadata: { link_session_id: sessionId, request_id: sessionId, timestamp } };
}
