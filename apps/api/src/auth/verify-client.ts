import { Inject, Injectable } from '@nestjs/common';
import {
  ApplicationRepository,
  type ClientRecord,
} from '../../../../prisma/applications/application.repository.js';
import {
  hashClientSecret,
  verifyClientSecret,
} from '../../../../prisma/applications/client-secret.js';
import { addressBlock } from '../../../platform/src/limits/address-block.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { AnonymousCall } from '../http/request-state.js';
import { RefusedSignIns } from '../../../platform/src/sign-ins/refused-sign-ins.js';
import { FailedChecks } from './failed-checks.js';
import { KnownSecrets } from './known-secrets.js';

export type VerifiedClient = ClientRecord;

export interface SentKeyPair {
  clientId: string;
  secret: string;
  /** Address of the caller; wrong key pairs count against it. */
  address: string;
  /** The request it came with. */
  anonymous: AnonymousCall;
}

/** Matches no issued secret. */
const UNKNOWN_CLIENT = hashClientSecret('');

/** Verifies key pairs. Sources: native-api 3.1 and 8, plaid-compat 1.2. */
@Injectable()
export class VerifyClient {
  private readonly known = new KnownSecrets();
  private readonly failures: FailedChecks;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    private readonly applications: ApplicationRepository,
    private readonly refusals: RefusedSignIns,
  ) {
    this.failures = new FailedChecks(settings.rateLimitFailedAuth);
  }

  /**
   * Returns the client, including a disabled one; null for an unknown client or a wrong secret, in
   * the same time. A pair verified before is not limited by other callers' failures from the same
   * address.
   * @throws ApiError, without looking up or hashing anything, when too many pairs from the address
   * were wrong
   */
  async verify(pair: SentKeyPair): Promise<VerifiedClient | null> {
    const { clientId, secret, address, anonymous } = pair;
    return anonymous.authenticate(`${clientId} ${secret}`, () =>
      this.known.has(clientId, secret)
        ? this.check(pair)
        : this.failures.run(addressBlock(address), () => this.check(pair)),
    );
  }

  private async check({ clientId, secret, address }: SentKeyPair): Promise<VerifiedClient | null> {
    const client = await this.applications.findClient(clientId);
    const stored = client?.secretHash ?? UNKNOWN_CLIENT;
    const isVerified = verifyClientSecret(secret, stored);
    if (client === null || !isVerified) {
      const [actor, reason] = client ? [clientId, 'wrong secret'] : ['unknown', 'unknown client'];
      this.refusals.note({ actor, door: 'key_pair', address, reason });
    }
    if (client === null) return null;
    if (isVerified) this.known.remember(clientId, secret);
    else if (this.known.has(clientId, secret)) this.known.forget(clientId);
    return isVerified ? client : null;
  }
}
