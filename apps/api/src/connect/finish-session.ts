import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { successOf } from '../../../../domain/session/session-outcome.js';
import { AccountRepository } from '../../../../prisma/links/accounts/account.repository.js';
import {
  ExchangeRepository,
  type SessionToken,
} from '../../../../prisma/work/linking/exchange.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import { assertLive } from './session/session-end.js';
import { completionOf } from './hosted/completion.js';
import { SessionViews } from './session/session-views.js';

/**
 * POST /session/finish: returns the result of a finished session, without Temporal. Source: connect
 * 4, "Result of finish".
 */
@Injectable()
export class FinishSession {
  constructor(
    private readonly exchanges: ExchangeRepository,
    private readonly accounts: AccountRepository,
    private readonly views: SessionViews,
  ) {}

  async finish(known: SessionRecord, requestId: string) {
    const result = await this.exchanges.finish(known.sessionId, requestId);
    const session = await this.views.reload(known.sessionId);
    if (result === null || session.linkId === null) {
      assertLive(session);
      throw new ApiError('connect_error.stale_step', { view: await this.views.of(session) });
    }
    const { institution } = await this.views.of(session);
    // connect 7: an unconfirmed link does not have any of them.
    const accounts = result.isConfirmed ? await this.accounts.list(session, session.linkId) : [];
    return {
      mode: session.mode,
      ...(result.token === null ? {} : tokensOf(result.token, session)),
      // link-lifecycle 2.5: the user chose a link that the app did not request (decision 0011).
      ...(session.mode === session.beganAs ? {} : { existing_link_id: session.linkId }),
      ...completionOf(session, successOf(session.mode)),
      session_id: session.sessionId,
      institution,
      accounts: accounts.map(({ accountId, accountType, name, mask }) => ({
        account_id: accountId,
        account_type: accountType,
        name,
        account_mask: mask,
      })),
    };
  }
}

/** connect 4: a relink that took effect has no token, except in sessions of the compatibility layer. */
function tokensOf(
  { purpose, exchangeableToken, expiresInSeconds }: SessionToken,
  { mode, webhookFormat }: Pick<SessionRecord, 'mode' | 'webhookFormat'>,
) {
  if (purpose === 'confirmation')
    return { confirmation_token: exchangeableToken, expires_in: expiresInSeconds };
  return {
    ...(mode === 'relink'
      ? {}
      : { exchangeable_token: exchangeableToken, expires_in: expiresInSeconds }),
    ...(webhookFormat === 'native' ? {} : { public_token: exchangeableToken }),
  };
}
