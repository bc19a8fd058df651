import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  ListenedEvents,
  type ListenedPage,
} from '../../../../prisma/announcements/webhook-listeners/listened-events.js';
import { EventLogBusy } from '../../../../prisma/announcements/webhook-log/settled-events.js';
import type { ListenerRecord } from '../../../../prisma/announcements/webhook-listeners/webhook-listener.repository.js';
import type { Caller } from '../http/request-state.js';
import { STOPPING } from '../http/stopping.js';
import { ListenerAccess } from './listener-access.js';
import { NewEvents } from './new-events.js';
import { WaitingCalls } from './waiting-calls.js';

export interface DeliveryPoll {
  after: bigint;
  limit: number;
  waitSeconds: number;
  authorization: string | undefined;
  /** Aborts when the caller disconnects. */
  gone: AbortSignal;
}

/** Reads the next events of a listener, and waits for the first of them. Source: webhooks 13. */
@Injectable()
export class AwaitDeliveries {
  constructor(
    private readonly access: ListenerAccess,
    private readonly events: ListenedEvents,
    private readonly news: NewEvents,
    private readonly calls: WaitingCalls,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /** @throws ApiError */
  async page(caller: Caller, listener: ListenerRecord, poll: DeliveryPoll): Promise<ListenedPage> {
    const first = await this.read(caller, listener, poll);
    if (first.events.length > 0 || poll.waitSeconds === 0) return first;
    return this.calls.during(caller, async () => {
      const page = await this.firstOf(caller, listener, poll, first);
      // The life of the listener is counted from the end of this call as well.
      await this.access.called(caller, listener.listenerId);
      return page;
    });
  }

  /** Returns an empty page when the time is over, the caller is gone or the process stops. */
  private async firstOf(
    tenant: Caller,
    listener: ListenerRecord,
    poll: DeliveryPoll,
    first: ListenedPage,
  ): Promise<ListenedPage> {
    const { authorization, gone, waitSeconds } = poll;
    const timeOver = AbortSignal.timeout(waitSeconds * 1_000);
    const end = AbortSignal.any([timeOver, gone, this.stopping]);
    let page = first;
    while (page.events.length === 0 && !end.aborted) {
      if (!page.hasMore) await this.news.beyond(tenant, page.position, end);
      if (end.aborted) break;
      const caller = await this.access.callerAgain(authorization);
      page = await this.read(caller, listener, { ...poll, after: page.position });
    }
    return page;
  }

  private async read(
    caller: Caller,
    listener: ListenerRecord,
    { after, limit }: Pick<DeliveryPoll, 'after' | 'limit'>,
  ): Promise<ListenedPage> {
    try {
      return await this.events.read(caller, listener, { after, limit });
    } catch (error) {
      if (error instanceof EventLogBusy)
        throw new ApiError('api_error.unavailable', { retryAfterSeconds: 1, cause: error });
      throw error;
    }
  }
}
