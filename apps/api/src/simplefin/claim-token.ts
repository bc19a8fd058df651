import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  accessUrlOf,
  isSetupSecret,
  simplefinServerAt,
} from '../../../../domain/simplefin/setup-token.js';
import { SimplefinTokenRepository } from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { stateOf } from '../http/request-state.js';
import { SimplefinForbidden, sendText } from './simplefin-errors.js';

/** Exchanges a setup token for an access URL, once. Source: decision 0060. */
@Injectable()
export class ClaimToken {
  private readonly server: string;

  constructor(
    private readonly tokens: SimplefinTokenRepository,
    @Inject(SETTINGS) { baseUrl }: ApiSettings,
  ) {
    this.server = simplefinServerAt(baseUrl);
  }

  /** @throws SimplefinForbidden, ApiError */
  async respond(secret: string, response: Response): Promise<void> {
    const { anonymous, startedAt } = stateOf(response.req);
    const arrivedAt = new Date(performance.timeOrigin + startedAt);
    const claimed = await anonymous.authenticate(secret, async () =>
      isSetupSecret(secret) ? this.tokens.claim(secret, arrivedAt) : null,
    );
    if (claimed === null) throw new SimplefinForbidden();
    if (!response.closed && !response.destroyed) {
      const isSent = new Promise<boolean>((resolve) => {
        response.once('finish', () => resolve(true));
        response.once('close', () => resolve(response.writableFinished));
      });
      sendText(response, 200, accessUrlOf(this.server, claimed.credential));
      if (await isSent) return;
    }
    await this.tokens.undoClaim(claimed);
  }
}
