import { Inject, Injectable } from '@nestjs/common';
import type { StoredSecret } from '../../../../prisma/tenants/applications/application.repository.js';
import { ClientSecretRepository } from '../../../../prisma/tenants/applications/client-secret.repository.js';
import type { Context } from '../../../../prisma/base/context.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';

const MINUTE_MS = 60_000;
const MAX_NOTED = 10_000;

/**
 * Records the last use of each secret to the minute. The row, which every check of a key pair reads
 * anyway, shows whether the minute is recorded already, so a call writes nothing but the first of a
 * minute.
 */
@Injectable()
export class SecretUses {
  /** The minute that this process recorded, or is recording, for calls that read the row before. */
  private readonly noted = new Map<string, number>();

  constructor(
    @Inject(DATABASE_CONTEXT) private readonly ctx: Context,
    private readonly secrets: ClientSecretRepository,
  ) {}

  async note({ secretId, lastUsedAt }: StoredSecret): Promise<void> {
    const minute = Math.floor(this.ctx.clock().getTime() / MINUTE_MS) * MINUTE_MS;
    if ((lastUsedAt?.getTime() ?? 0) >= minute || this.noted.get(secretId) === minute) return;
    if (this.noted.size >= MAX_NOTED) this.noted.clear();
    this.noted.set(secretId, minute);
    try {
      await this.secrets.noteUse(secretId, new Date(minute));
    } catch (error) {
      this.noted.delete(secretId);
      throw error;
    }
  }
}
