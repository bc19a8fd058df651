import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import type { AdapterSettings } from '../adapter.js';
import { refusedInLive } from '../http/address-reach.js';

/** The European Economic Area, where the vendor's banks are. */
const EEA =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';

export const PSU_TYPES = ['personal', 'business'] as const;

const MIN_KEY_BITS = 2_048;

const publicSettings = z.strictObject({
  applicationId: z
    .uuid('must be the id of an application, such as cf589be3-3755-465b-a8df-a90a16a31403')
    .describe('The id of your application, as the control panel of Enable Banking shows it.'),
  redirectAddress: z
    .url({ protocol: /^https?$/, error: 'must be an address' })
    .describe(
      'The address to which banks redirect users: BASE_URL followed by /connect/oauth/callback. It must be among the redirect URLs of the application; `providers check` compares them.',
    ),
  apiAddress: z
    .url({ protocol: /^https?$/, error: 'must be an https address' })
    .default('https://api.enablebanking.com')
    .describe('The API. Another address is only for simulators.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'))
    .min(1)
    .max(60)
    .default(EEA.split(' '))
    .describe('Whose banks are listed (ISO 3166-1 alpha-2).'),
  psuTypes: z
    .array(z.enum(PSU_TYPES))
    .min(1)
    .default(['personal'])
    .describe(
      'Kinds of accounts: personal, business. At a bank that has both, the first one is requested.',
    ),
});

const secretSettings = z.strictObject({
  privateKey: z
    .string()
    .refine(isRsaKey, `must be an RSA private key of at least ${MIN_KEY_BITS} bits as PEM`)
    .describe(
      'The RSA private key (PEM) of at least 2048 bits that belongs to the certificate of the application.',
    ),
});

export type EnableBankingPublicSettings = z.output<typeof publicSettings>;
export type EnableBankingSecrets = z.output<typeof secretSettings>;

/** The operator's prerequisites: an application at Enable Banking and its key. */
export const ENABLE_BANKING_SETTINGS = {
  public: publicSettings,
  secret: secretSettings,
  refusedIn(environment, settings) {
    // `public` has already parsed it.
    const { apiAddress } = settings as EnableBankingPublicSettings;
    return refusedInLive(environment, { addresses: [['apiAddress', apiAddress]] });
  },
} satisfies AdapterSettings;

function isRsaKey(pem: string): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem);
    return type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_KEY_BITS;
  } catch {
    return false;
  }
}
