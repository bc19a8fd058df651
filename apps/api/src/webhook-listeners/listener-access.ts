import { Injectable } from '@nestjs/common';
import { permits } from '../../../../domain/api/scopes.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  WebhookListenerRepository,
  type ListenerRecord,
} from '../../../../prisma/announcements/webhook-listeners/webhook-listener.repository.js';
import { Authenticator } from '../auth/authenticator.js';
import type { Caller } from '../http/request-state.js';

/** The checks of every call of a listener. Source: webhooks 13. */
@Injectable()
export class ListenerAccess {
  constructor(
    private readonly listeners: WebhookListenerRepository,
    private readonly authenticator: Authenticator,
  ) {}

  /** @throws ApiError when the operator does not allow the app to listen in Live */
  async requireAllowed({ appId, environment }: Caller): Promise<void> {
    if (environment === 'sandbox' || (await this.listeners.isAllowedInLive(appId))) return;
    throw new ApiError('api_error.sandbox_only', {
      message: 'This app may listen to webhooks in Sandbox only.',
    });
  }

  /** The listener of a call, whose life is counted from now. @throws ApiError */
  async called(caller: Caller, listenerId: string): Promise<ListenerRecord> {
    await this.requireAllowed(caller);
    const listener = await this.listeners.call(caller, listenerId);
    if (listener === null)
      throw new ApiError('webhook_error.not_found', {
        message: 'Listener not found, or it has expired.',
      });
    return listener;
  }

  /** The caller after a wait: its token may have ended, or its pair been limited. @throws ApiError */
  async callerAgain(authorization: string | undefined): Promise<Caller> {
    const caller = await this.authenticator.authenticate(authorization);
    if (!permits(caller.scopes, 'webhooks:listen'))
      throw new ApiError('api_error.auth.unauthorized');
    return caller;
  }
}
