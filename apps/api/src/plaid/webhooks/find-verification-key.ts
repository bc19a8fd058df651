import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../../../domain/api/environment.js';
import {
  PlaidWebhookKeys,
  type VerificationKey,
} from '../../../../../prisma/plaid/plaid-webhook-keys.js';

/** Looks up what a webhook of the compatibility layer was signed with. */
@Injectable()
export class FindVerificationKey {
  constructor(private readonly keys: PlaidWebhookKeys) {}

  /** Null for any other text, and for a key of the other environment. */
  find(environment: Environment, kid: string): Promise<VerificationKey | null> {
    return this.keys.find(environment, kid);
  }
}
