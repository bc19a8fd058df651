import { finished } from 'node:stream';
import type { Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { stateOf } from './request-state.js';

/** Smaller ones are not counted: they take no more than their request, and may be the outcome of a change. */
const UNCOUNTED_BYTES = 65_536;
const RETRY_AFTER_SECONDS = 1;
const FULL = 'Responses of the app that were not read yet have used up their memory';

/**
 * Memory for responses until their callers have read them, in all and for each app and environment. An app without
 * a response in progress always gets one. Source: native-api 1.3.
 */
export class ResponseBudget {
  private held = 0;
  private readonly ofOwners = new Map<string, number>();

  constructor(private readonly limits: Pick<ApiSettings, 'maxResponses' | 'maxResponsesPerApp'>) {}

  /** The bytes count until the response is sent. @throws ApiError `api_error.unavailable` when they do not fit */
  hold(response: Response, bytes: number): void {
    const { owner } = stateOf(response.req);
    if (owner === null || bytes <= UNCOUNTED_BYTES) return;
    const { maxResponses, maxResponsesPerApp } = this.limits;
    const own = this.ofOwners.get(owner) ?? 0;
    const fits = own + bytes <= maxResponsesPerApp && this.held + bytes <= maxResponses;
    if (own > 0 && !fits)
      throw new ApiError('api_error.unavailable', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: FULL,
      });
    this.add(owner, bytes);
    finished(response, () => this.add(owner, -bytes));
  }

  private add(owner: string, bytes: number): void {
    this.held += bytes;
    const own = (this.ofOwners.get(owner) ?? 0) + bytes;
    if (own === 0) this.ofOwners.delete(owner);
    else this.ofOwners.set(owner, own);
  }
}
