import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../../../simulators/vendors/fdx/certificates/certificate-authority.js';
import { newKeys } from '../../../support/fixtures/enable-banking-application.js';
import type { WatchedService } from './watched-service.js';

/** Moves the keys of the service into the past. @returns a function that moves them back */
export async function agedKeys({ truth }: WatchedService): Promise<() => Promise<void>> {
  const move = async (sign: '-' | '+') => {
    await truth.rows(
      `UPDATE signing_keys SET active_from = active_from ${sign} interval '46 days'`,
    );
    await truth.rows(`UPDATE master_keys SET created_at = created_at ${sign} interval '401 days'`);
  };
  await move('-');
  return () => move('+');
}

/**
 * Gives one configuration a key that its source does not know, and another an expired certificate.
 * @returns a function that restores the correct ones
 */
export async function refusedCredentials({
  service,
  simulated,
}: WatchedService): Promise<() => Promise<void>> {
  const { operate, secrets } = await simulated();
  const folder = mkdtempSync(join(service.dataDir, 'keys-'));
  const rotate = async (name: string, values: Record<string, string>) => {
    const options = Object.entries(values).flatMap(([secret, value]) => {
      writeFileSync(join(folder, secret), value);
      return ['--secret', `${secret}=@${join(folder, secret)}`];
    });
    await operate('providers', 'rotate', name, ...options);
  };
  const right = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, secrets[name] ?? '']));

  const { privateKey } = await newKeys();
  await rotate('enable-banking', { privateKey });
  const authority = await createCertificateAuthority();
  const ended = await authority.issueForClient({ subject: 'CN=tributary', isExpired: true });
  await rotate('fdx', {
    clientCertificate: ended.certificate,
    clientCertificateKey: ended.key,
  });
  return async () => {
    await rotate('enable-banking', right('privateKey'));
    await rotate('fdx', right('clientCertificate', 'clientCertificateKey'));
  };
}
