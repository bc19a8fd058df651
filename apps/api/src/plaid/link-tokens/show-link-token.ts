import { Inject, Injectable } from '@nestjs/common';
import { plaidAccountType } from '../../../../../domain/plaid/account-type.js';
import type { PlaidErrorFields } from '../../../../../domain/plaid/error-fields.js';
import { exitError, exitStatus } from '../../../../../domain/plaid/exit-report.js';
import { isItemToken } from '../../../../../domain/plaid/item-token-format.js';
import { exitAt, type SessionExit } from '../../../../../domain/session/session-exit.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import {
  PlaidSessionRepository,
  type PlaidSessionRecord,
} from '../../../../../prisma/views/plaid/plaid-session.repository.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import type { Caller } from '../../http/request-state.js';
import { FindInstitutions } from '../../institutions/find-institutions.js';
import { reportedInstitution } from '../shapes/institution-aliases.js';
import { PlaidError, presentError } from '../errors/plaid-error.js';

/** The state and the result of a link_token. Source: plaid-compat 7. */
@Injectable()
export class ShowLinkToken {
  constructor(
    private readonly sessions: PlaidSessionRepository,
    private readonly accounts: AccountRepository,
    private readonly institutions: FindInstitutions,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** @throws PlaidError */
  async show(caller: Caller, linkToken: string) {
    const session = isItemToken(linkToken, 'link', caller.environment)
      ? await this.sessions.find(caller, linkToken)
      : null;
    if (session === null) throw new PlaidError('INVALID_LINK_TOKEN');
    const { plaid, webhook, createdAt, expiresAt, openedAt } = session;
    return {
      link_token: linkToken,
      created_at: createdAt.toISOString(),
      expiration: expiresAt.toISOString(),
      metadata: {
        initial_products: plaid.initialProducts,
        webhook,
        country_codes: plaid.countryCodes,
        language: plaid.language,
        redirect_uri: plaid.redirectUri,
        client_name: plaid.clientName,
        ...(plaid.accountFilters === null ? {} : { account_filters: plaid.accountFilters }),
      },
      link_sessions: openedAt === null ? [] : [await this.run(caller, session, openedAt)],
    };
  }

  private async run(caller: Caller, session: PlaidSessionRecord, openedAt: Date) {
    const { sessionId, endedAt, result } = session;
    const exit =
      session.exit ??
      (result !== null || endedAt === null
        ? null
        : exitAt(null, {
            at: endedAt,
            institutionId: session.institutionId,
            searchedInVain: false,
          }));
    const found = await this.institutionOf(caller, exit?.institutionId ?? session.institutionId);
    const institution =
      found === null
        ? null
        : {
            name: found.name,
            institution_id: reportedInstitution(
              found.institutionId,
              session.plaid.institutionAlias,
            ),
          };
    const left = exit === null ? null : this.present(exit, found?.login ?? null);
    const finishedAt = result?.at ?? (exit === null ? endedAt : new Date(exit.at));
    return {
      link_session_id: sessionId,
      started_at: openedAt.toISOString(),
      finished_at: finishedAt?.toISOString() ?? null,
      results:
        result === null
          ? null
          : {
              item_add_results: [
                {
                  public_token: result.publicToken,
                  accounts: await this.accountsOf(caller, result.linkId),
                  institution,
                },
              ],
              cra_item_add_results: [],
              cra_update_results: [],
              bank_income_results: [],
              payroll_income_results: [],
              document_income_results: null,
            },
      exit:
        left === null
          ? null
          : {
              error: left.error,
              metadata: {
                institution,
                link_session_id: sessionId,
                request_id: sessionId,
                ...left.status,
              },
            },
      events: [
        eventOf(session, 'OPEN', openedAt),
        ...(finishedAt === null
          ? []
          : [
              left === null
                ? eventOf(session, 'HANDOFF', finishedAt)
                : eventOf(session, 'EXIT', finishedAt, {
                    ...eventStatus(left.status),
                    ...eventError(left.error),
                  }),
            ]),
      ],
    };
  }

  /** Without a status the field is absent, because the types of the client exclude null. */
  private present(exit: SessionExit, login: string | null) {
    const [code, status] = [exitError(exit), exitStatus(exit, login)];
    return {
      error: code === null ? null : presentError(new PlaidError(code), this.settings.baseUrl),
      status: status === null ? {} : { status },
    };
  }

  private async institutionOf({ environment }: Caller, institutionId: string | null) {
    return institutionId === null ? null : this.institutions.find(environment, institutionId);
  }

  private async accountsOf(caller: Caller, linkId: string) {
    const accounts = await this.accounts.list(caller, linkId);
    return accounts.map(({ accountId, name, mask, accountType }) => ({
      id: accountId,
      name,
      mask,
      ...plaidAccountType(accountType),
      verification_status: null,
      class_type: null,
    }));
  }
}

function eventOf(
  { sessionId }: PlaidSessionRecord,
  name: 'OPEN' | 'HANDOFF' | 'EXIT',
  at: Date,
  more: object = {},
) {
  const timestamp = at.toISOString();
  return {
    event_name: name,
    event_id: `${sessionId}-${name.toLowerCase()}`,
    timestamp,
    event_metadata: { link_session_id: sessionId, request_id: sessionId, timestamp, ...more },
  };
}

function eventStatus({ status }: { status?: string }) {
  return status === undefined ? {} : { exit_status: status };
}

function eventError(error: PlaidErrorFields | null) {
  return error === null
    ? {}
    : {
        error_type: error.error_type,
        error_code: error.error_code,
        error_message: error.error_message,
      };
}
