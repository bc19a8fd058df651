import { Injectable } from '@nestjs/common';
import { ApplicationRepository, type ClientRecord } from '../../../../prisma/repositories/application.repository.js';
import { SecretVerifier } from './secret-verifier.js';

export type VerifiedClient = ClientRecord;

/** Says whose key pair it is. */
@Injectable()
export class ClientVerifier {
  private readonly verifier = new SecretVerifier();

  constructor(private readonly applications: ApplicationRepository) {}

  /** The client, disabled ones included; null for an unknown client or a wrong secret, in the same time. */
  async verify({ clientId, secret }: { clientId: string; secret: string }): Promise<VerifiedClient | null> {
    const client = await this.applications.findClient(clientId);
    const isRight = await this.verifier.verify(secret, client?.secretHash ?? null);
    return isRight ? client : null;
  }
}
