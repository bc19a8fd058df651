import { Inject, Injectable } from '@nestjs/common';
import {
  ApplicationRepository,
  type ClientRecord,
} from '../../../../prisma/tenants/applications/application.repository.js';
import { matchingSecret } from '../../../../prisma/tenants/applications/client-secret.js';
import { addressBlock } from '../../../platform/src/limits/address-block.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { AnonymousCall } from '../http/request-state.js';
import { RefusedSignIns } from '../../../platform/src/sign-ins/refused-sign-ins.js';
import { FailedChecks } from './failed-checks.js';
import { KnownSecrets } from './known-secrets.js';
import { SecretUses } from './secret-uses.js';

export interface VerifiedClient extends Omit<ClientRecord, 'secrets'> {
  /** The secret it was verified with. */
  secretId: string;
}

export interface SentKeyPair {
  clientId: string;
  secret: string;
  /** Address of the caller; wrong key pairs count against it. */
  address: string;
  /** The request it came with. */
  anonymous: AnonymousCall;
}

/** Verifies key pairs. Sources: native-api 3.1 and 8, plaid-compat 1.2. */
@Injectable()
export class VerifyClient {
  private readonly known = new KnownSecrets();
  private readonly failures: FailedChecks;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    private readonly applications: ApplicationRepository,
    private readonly refusals: RefusedSignIns,
    private readonly uses: SecretUses,
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
    const matching = matchingSecret(secret, client?.secrets ?? []);
    if (client === null || matching === null) {
      const [actor, reason] = client ? [clientId, 'wrong secret'] : ['unknown', 'unknown client'];
      this.refusals.note({ actor, door: 'key_pair', address, reason });
      this.known.forget(clientId, secret);
      return null;
    }
    this.known.remember(clientId, secret);
    await this.uses.note(matching);
    const { secrets: _, ...verified } = client;
    return { ...verified, secretId: matching.secretId };
  }
}
