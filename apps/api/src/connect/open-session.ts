import { Inject, Injectable } from '@nestjs/common';
import type { EndUser } from '../../../../domain/session/end-user.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { isTokenShaped } from '../../../../domain/api/token-format.js';
import { continueOwned } from '../../../../prisma/base/database/work-origin.js';
import { isHosted } from '../../../../domain/session/session-options.js';
import {
  isOpenTo,
  LinkSessionRepository,
} from '../../../../prisma/links/sessions/link-session.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { ownerOf } from '../http/request-state.js';
import type { InputOf } from '../http/route.js';
import type { OpenSessionRequest } from './connect.requests.js';
import { ConnectLimits } from './connect-limits.js';
import { BrowserCookie } from './hosted/browser-cookie.js';
import { mayOpenSession } from './page-origin.js';
import type { OpenedView } from './session/present-view.js';
import { assertLive } from './session/session-end.js';
import { TakeOverSession } from './take-over-session.js';

/** POST /session/open: a window takes over the session. Source: connect 4. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly limits: ConnectLimits,
    private readonly cookie: BrowserCookie,
    private readonly taking: TakeOverSession,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /**
   * `endUser`: for banks that require it; kept sealed. `browser`: the cookie of the caller,
   * which a session of the hosted page is bound to.
   */
  async open(
    request: InputOf<typeof OpenSessionRequest>['body'],
    { endUser, browser }: { endUser: EndUser; browser: string | null },
  ): Promise<{ view: OpenedView; browser: string | null }> {
    const found = isTokenShaped(request.link_session_token)
      ? await this.sessions.findByToken(request.link_session_token)
      : null;
    if (found === null) throw new ApiError('connect_error.invalid_session_token');
    continueOwned(ownerOf(found));
    this.limits.take(found.sessionId);
    if (!mayOpenSession(request, found, this.settings.connectBaseUrl))
      throw new ApiError('connect_error.origin_not_allowed');
    assertLive(found);
    const opener = isHosted(found)
      ? { secret: browser ?? this.cookie.make(), requestId: request.request_id }
      : null;
    // connect 2: its address opens in one browser.
    if (!isOpenTo(found, opener)) throw new ApiError('connect_error.invalid_session_token');
    // connect 4: its result belongs to the window that has it, and to the back end.
    if (found.finishedAt !== null) throw new ApiError('connect_error.session_closed');
    const view = await this.taking.takeOver(found, {
      requestId: request.request_id,
      opener,
      endUser,
    });
    return { view, browser: opener?.secret ?? null };
  }
}
