import { finished } from 'node:stream';
import { Global, Inject, Injectable, Module } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { addressBlock } from '../../../../platform/src/limits/address-block.js';
import { ByteBudget, type HeldBytes } from '../../../../platform/src/limits/byte-budget.js';
import { stateOf } from '../request-state.js';
import { declaredSize, readBody } from './read-body.js';

const RETRY_AFTER_SECONDS = 1;
const FULL = 'Bodies of requests have used up their memory';

/**
 * Reads the bodies of requests, as long as there is memory for them. Those of known callers share one budget, with a
 * share for each app and environment. Anyone can send bodies that contain their credentials: they share another
 * one, with a share for each address. Source: native-api 1.3.
 */
@Injectable()
export class BodyBudgets {
  private readonly admitted: ByteBudget;
  private readonly unadmitted: ByteBudget;
  private readonly held = new WeakMap<Request, HeldBytes>();

  constructor(@Inject(SETTINGS) settings: ApiSettings) {
    this.admitted = new ByteBudget({ total: settings.maxBodies, perKey: settings.maxBodiesPerApp });
    this.unadmitted = new ByteBudget({
      total: settings.maxUnadmittedBodies,
      perKey: settings.maxUnadmittedBodiesPerAddress,
    });
  }

  /**
   * The body counts until its response has been sent.
   * @throws ApiError `api_error.unavailable`, before anything is read, when the declared size does not fit, otherwise as
   * soon as the body does not; `api_error.request.too_large` beyond `limit`
   */
  async read(request: Request, response: Response, limit: number): Promise<Buffer> {
    const held = this.budgetOf(request);
    if (!held.fits(declaredSize(request) ?? 0)) throw full();
    this.held.set(request, held);
    finished(response, () => this.held.get(request)?.resize(0));
    return readBody(request, limit, (bytes) => hold(held, bytes));
  }

  /**
   * The body has identified a known caller: from now on it counts for the app of the caller.
   * @throws ApiError `api_error.unavailable` when it does not fit there
   */
  admit(request: Request): void {
    const before = this.held.get(request);
    if (before === undefined) return;
    const after = this.budgetOf(request);
    hold(after, before.bytes);
    before.resize(0);
    this.held.set(request, after);
  }

  private budgetOf(request: Request): HeldBytes {
    const { owner } = stateOf(request);
    return owner === null
      ? this.unadmitted.open(addressBlock(request.ip ?? ''))
      : this.admitted.open(owner);
  }
}

function hold(held: HeldBytes, bytes: number): void {
  if (!held.resize(bytes)) throw full();
}

function full(): ApiError {
  return new ApiError('api_error.unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: FULL,
  });
}

/** Global, because all APIs of the process share the budgets. */
@Global()
@Module({ providers: [BodyBudgets], exports: [BodyBudgets] })
export class BodyBudgetsModule {}
