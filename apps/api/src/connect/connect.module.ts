import { Module } from '@nestjs/common';
import { ConnectLimits } from './connect-limits.js';
import { ConnectController } from './connect.controller.js';
import { ExitSession } from './exit-session.js';
import { ExtendSession } from './extend-session.js';
import { FinishSession } from './finish-session.js';
import { CallbackController } from './oauth/callback.controller.js';
import { OAuthController } from './oauth/oauth.controller.js';
import { ResumableReturns } from './oauth/resumable-returns.js';
import { ResumeSession } from './oauth/resume-session.js';
import { ReturnFromBank } from './oauth/return-from-bank.js';
import { StartRedirect } from './oauth/start-redirect.js';
import { BrowserCookie } from './hosted/browser-cookie.js';
import { OpenSession } from './open-session.js';
import { PollSession } from './poll-session.js';
import { ReopenSession } from './reopen-session.js';
import { SessionAuthenticator } from './session/session-authenticator.js';
import { SessionNotifications } from './session/session-notifications.js';
import { SessionViews } from './session/session-views.js';
import { StepResponses } from './session/step-responses.js';
import { SubmitStep } from './submit-step.js';
import { TakeOverSession } from './take-over-session.js';

@Module({
  controllers: [ConnectController, OAuthController, CallbackController],
  providers: [
    SessionAuthenticator,
    SessionNotifications,
    SessionViews,
    ConnectLimits,
    BrowserCookie,
    TakeOverSession,
    OpenSession,
    ReopenSession,
    PollSession,
    StepResponses,
    SubmitStep,
    ExtendSession,
    FinishSession,
    ExitSession,
    StartRedirect,
    ReturnFromBank,
    ResumableReturns,
    ResumeSession,
  ],
  exports: [SessionAuthenticator, SessionNotifications, ConnectLimits],
})
export class ConnectModule {}
