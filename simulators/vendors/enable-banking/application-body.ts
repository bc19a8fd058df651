import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { SimulatorRequest } from '../../http/request.js';
import type { NewApplication } from './applications.js';

const MIN_BITS = 2_048;

const keyText = z.string().transform((text, context) => {
  const key = publicKeyIn(text);
  if (
    key?.asymmetricKeyType === 'rsa' &&
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_BITS
  )
    return key.export({ type: 'spki', format: 'pem' }).toString();
  context.addIssue({
    code: 'custom',
    message: `must be a certificate or a public key (SPKI) as PEM, RSA with at least ${MIN_BITS} bits`,
  });
  return z.NEVER;
});

const body = z
  .strictObject({
    id: z.uuid().optional(),
    name: z.string().optional(),
    certificate: keyText.optional(),
    publicKey: keyText.optional(),
    redirectUrls: z.array(z.url()).min(1),
    environment: z.enum(['SANDBOX', 'PRODUCTION']),
    isActive: z.boolean().optional(),
    isAddressAllowed: z.boolean().optional(),
  })
  .refine(
    ({ certificate, publicKey }) => (certificate === undefined) !== (publicKey === undefined),
    {
      error: 'give certificate or publicKey',
    },
  );

/**
 * An application, as a JSON body or as a form, which a shell can send.
 * @throws ZodError for values that the vendor's control panel would refuse
 */
export async function readApplication(request: SimulatorRequest): Promise<NewApplication> {
  const isForm = request.header('content-type')?.startsWith('application/x-www-form-urlencoded');
  const given = isForm === true ? ofForm(await request.form()) : await request.json();
  const { certificate, publicKey = certificate ?? '', ...application } = body.parse(given);
  const known = Object.entries({ ...application, publicKey }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(known) as unknown as NewApplication;
}

const ofForm = (form: URLSearchParams): object => ({
  ...Object.fromEntries(form),
  redirectUrls: form.getAll('redirectUrls'),
});

/** Null also for a private key, which the vendor must never get. */
function publicKeyIn(text: string): KeyObject | null {
  try {
    if (text.startsWith('-----BEGIN CERTIFICATE-----')) return new X509Certificate(text).publicKey;
    return text.startsWith('-----BEGIN PUBLIC KEY-----') ? createPublicKey(text) : null;
  } catch {
    return null;
  }
}
