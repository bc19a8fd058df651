import { finished } from 'node:stream';
import { Global, Inject, Injectable, Module } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { addressBlock } from '../../../../platform/src/limits/address-block.js';
import { ByteBudget, type HeldBytes } from '../../../../platform/src/limits/byte-budget.js';
import { declaredSize, readBody } from './read-body.js';

const RETRY_AFTER_SECONDS = 1;
const FULL = 'Bodies of callers that are not authenticated yet take all the memory they may';

/**
 * Reads the bodies of calls whose caller is not known yet, since the body has the credentials. Anyone can send them, so
 * they share a budget, and those of one address a smaller one. Source: native-api 1.3.
 */
@Injectable()
export class UnadmittedBodies {
  private readonly budget: ByteBudget;
  private readonly held = new WeakMap<Request, HeldBytes>();

  constructor(@Inject(SETTINGS) settings: ApiSettings) {
    this.budget = new ByteBudget({
      total: settings.maxUnadmittedBodies,
      perKey: settings.maxUnadmittedBodiesPerAddress,
    });
  }

  /**
   * The bytes count until the response has been sent, or until `admit`.
   * @throws ApiError `api_error.unavailable`, before anything is read, when the declared size does not fit, otherwise as
   * soon as the body does not
   */
  async read(request: Request, response: Response, limit: number): Promise<Buffer> {
    const held = this.budget.open(addressBlock(request.ip ?? ''));
    if (!held.fits(declaredSize(request) ?? 0)) throw full();
    this.held.set(request, held);
    finished(response, () => this.admit(request));
    return readBody(request, limit, (bytes) => {
      if (!held.resize(bytes)) throw full();
    });
  }

  /** The caller turned out to be a known one: the body of this request counts no more. */
  admit(request: Request): void {
    this.held.get(request)?.resize(0);
  }
}

function full(): ApiError {
  return new ApiError('api_error.unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: FULL,
  });
}

/** Everywhere, because all APIs of the process share one budget. */
@Global()
@Module({ providers: [UnadmittedBodies], exports: [UnadmittedBodies] })
export class UnadmittedBodiesModule {}
