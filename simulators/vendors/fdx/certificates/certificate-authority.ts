// x509 requires the reflection metadata of its own decorators.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const HOUR_MS = 3_600_000;
/** Longer than any run of a simulator. */
const LIFETIME_MS = 30 * 24 * HOUR_MS;

/** PEM texts. */
export interface KeyAndCertificate {
  key: string;
  certificate: string;
}

export interface CertificateOrder {
  /** Distinguished name as in RFC 4514. */
  subject: string;
  /** True: it expired an hour ago. */
  isExpired?: boolean;
  /** Milliseconds from now. */
  lifetimeMs?: number;
}

/** A certificate authority with the lifetime of its process, for mutual TLS without any setup. */
export interface CertificateAuthority {
  /** PEM of the root certificate. */
  certificate: string;
  /** @param lifetimeMs - milliseconds from now */
  issueForServer(host: string, lifetimeMs?: number): Promise<KeyAndCertificate>;
  issueForClient(order: CertificateOrder): Promise<KeyAndCertificate>;
}

export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  const keys = await generateKeys();
  const name = 'CN=Vendor Simulators Root,O=Tributary Simulator Trials';
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name,
    keys,
    signingAlgorithm: KEY,
    ...validity(LIFETIME_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  async function issue(
    { subject, isExpired = false, lifetimeMs = LIFETIME_MS }: CertificateOrder,
    purpose: x509.ExtendedKeyUsage,
    names: x509.Extension[],
  ): Promise<KeyAndCertificate> {
    const own = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject,
      issuer: name,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: KEY,
      ...validity(isExpired ? -HOUR_MS : lifetimeMs),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([purpose]),
        ...names,
      ],
    });
    return { key: await pemOf(own.privateKey), certificate: certificate.toString('pem') };
  }

  return {
    certificate: root.toString('pem'),
    issueForServer: (host, lifetimeMs) =>
      issue({ subject: `CN=${host}`, lifetimeMs }, x509.ExtendedKeyUsage.serverAuth, [
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
          ...(/^[\d.]+$|:/.test(host) ? [] : [{ type: 'dns' as const, value: host }]),
        ]),
      ]),
    issueForClient: (order) => issue(order, x509.ExtendedKeyUsage.clientAuth, []),
  };
}

const generateKeys = () => webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);

/** A positive number, as DER requires. */
const serialNumber = (): string => `00${randomBytes(15).toString('hex')}`;

/** @param endsInMs - negative: it has expired */
function validity(endsInMs: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return {
    notBefore: new Date(now - 2 * HOUR_MS),
    notAfter: new Date(now + endsInMs),
  };
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
