import { z } from 'zod';
import { COUNTRIES } from '../../domain/institutions/countries.js';
import { FIRST_PRODUCTS, PRODUCTS } from '../../domain/link/products.js';
import type { AdapterSettings } from '../adapter.js';
import { refusedInLive } from '../http/address-reach.js';
import { readSigningKey } from './client/signing-key.js';
import { forgetMetadata, keepMetadata, parseText } from './pinned-metadata.js';

const address = z.url({ protocol: /^https?$/, error: 'must be an https address' });

const endpoints = z.object({
  token_endpoint: address,
  pushed_authorization_request_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
});

/** The part of a discovery document (RFC 8414) that is used; the rest is dropped. */
export const metadataSchema = endpoints.extend({
  authorization_endpoint: address,
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  mtls_endpoint_aliases: endpoints.partial().optional(),
});

export type Metadata = z.output<typeof metadataSchema>;

/** Every address in the metadata; none for null. */
export function addressesIn(metadata: Metadata | null): string[] {
  const { mtls_endpoint_aliases: aliases = {}, ...own } = metadata ?? {};
  return [own, aliases].flatMap((part) =>
    Object.entries(part).flatMap(([name, value]) =>
      name.endsWith('_endpoint') && typeof value === 'string' ? [value] : [],
    ),
  );
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62})$/;

const institution = z.strictObject({
  remoteId: z
    .string()
    .regex(SLUG, 'must be small letters, digits and hyphens')
    .describe('A name of yours that never changes: small letters, digits, hyphens.'),
  name: z.string().min(1).max(100).describe('The name that users know the bank by.'),
  country: z
    .enum(COUNTRIES, 'must be US, CA, GB or a country of the EEA, as its code of two letters')
    .describe('US, CA, GB or a country of the EEA, as its code of two letters.'),
  url: address.nullable().default(null).describe('The website of the bank.'),
  issuer: address.describe(
    'The issuer: the address of the discovery document without /.well-known/ and the part after it.',
  ),
  fdxBase: address.describe('The base address of the FDX API, with the version.'),
  clientId: z.string().min(1).max(500).describe('The client id that the bank issued to you.'),
  clientAuthentication: z
    .enum(['client_secret_basic', 'private_key_jwt', 'mtls'])
    .describe('client_secret_basic, private_key_jwt or mtls.'),
  dpop: z.boolean().default(false).describe('Whether the bank binds tokens to a key (DPoP).'),
  scopes: z
    .array(z.string().regex(/^[!#-[\]-~]+$/))
    .default(['openid', 'offline_access'])
    .describe(
      'Requested besides the scopes of the products. With offline_access, consent is requested each time (prompt=consent), without which banks issue no refresh token.',
    ),
  products: z
    .array(z.enum(PRODUCTS))
    .refine((products) => products.includes('accounts'), 'must include accounts')
    .default([...FIRST_PRODUCTS])
    .describe('The products that the bank offers; accounts is always one of them.'),
  historyDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(730)
    .describe('How many days of transactions the bank has.'),
  rates: z
    .enum(['percent', 'fraction'])
    .default('percent')
    .describe(
      'How the bank writes the rates of debts: percent (24.99) or fraction (0.2499). FDX does not state it.',
    ),
  metadata: metadataSchema
    .nullable()
    .default(null)
    .describe('The discovery document of the bank, if you provide it yourself; otherwise pinned.'),
});

/** A bank, with the operator's registration there. */
export type FdxInstitution = z.output<typeof institution>;

/** Whether the bank has a revocation address (RFC 7009). */
export function offersRevocation(
  { clientAuthentication }: Pick<FdxInstitution, 'clientAuthentication'>,
  { revocation_endpoint: own, mtls_endpoint_aliases: aliases }: Metadata,
): boolean {
  const alias = clientAuthentication === 'mtls' ? aliases?.revocation_endpoint : undefined;
  return (alias ?? own) !== undefined;
}

const institutions = z
  .preprocess(parseText, z.array(institution, 'must be a JSON list').min(1).max(500))
  .refine(
    (list) => new Set(list.map(({ remoteId }) => remoteId)).size === list.length,
    'has a remoteId twice',
  );

const publicSettings = z.strictObject({
  institutions: institutions.describe(
    'The banks, as a JSON list: remoteId, name, country, url, issuer, fdxBase, clientId, clientAuthentication, dpop, scopes, products, historyDays, rates, metadata.',
  ),
  redirectUri: address
    .optional()
    .describe('The redirect address that is registered at the banks; `providers check` tries it.'),
  certificateAuthority: z
    .string()
    .optional()
    .describe('PEM text of the authority that issued the certificates of the banks, if private.'),
  allowLoopback: z
    .boolean('must be true or false')
    .default(false)
    .describe(
      'Also accept http on this machine, for a simulator. Only with --environment sandbox.',
    ),
});

const secretSettings = z.strictObject({
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe('The client secret, for client_secret_basic.'),
  signingKey: z
    .string()
    .min(1)
    .optional()
    .describe('The private key that signs, for private_key_jwt: a JWK or PEM text.'),
  clientCertificate: z
    .string()
    .min(1)
    .optional()
    .describe('PEM text of the client certificate and its intermediates, for mtls.'),
  clientCertificateKey: z
    .string()
    .min(1)
    .optional()
    .describe('PEM text of the private key of the client certificate.'),
});

export type FdxPublicSettings = z.output<typeof publicSettings>;
export type FdxSecrets = z.output<typeof secretSettings>;

/** Reads settings that `public` has parsed. */
const banksOf = (settings: object): readonly FdxInstitution[] =>
  (settings as FdxPublicSettings).institutions;

export const FDX_SETTINGS = {
  public: publicSettings,
  secret: secretSettings,
  publicKeys({ secrets: { signingKey } }: { secrets: Readonly<Record<string, string>> }) {
    return signingKey === undefined ? [] : [readSigningKey(signingKey).publicJwk];
  },
  pinned: {
    keep: keepMetadata,
    forget: forgetMetadata,
    missing: (settings) =>
      banksOf(settings).flatMap(({ remoteId, metadata }) => (metadata === null ? [remoteId] : [])),
  },
  cannotRevoke: (settings) =>
    banksOf(settings).flatMap((bank) =>
      bank.metadata === null || offersRevocation(bank, bank.metadata) ? [] : [bank.remoteId],
    ),
  refusedIn(environment, settings) {
    const { allowLoopback } = settings as FdxPublicSettings;
    const addresses = banksOf(settings).flatMap(({ issuer, fdxBase, metadata }, at) =>
      (
        [
          ['issuer', issuer],
          ['fdxBase', fdxBase],
          ...addressesIn(metadata).map((address) => ['metadata', address] as const),
        ] as const
      ).map(([name, address]) => [`institutions.${at}.${name}`, address] as const),
    );
    return refusedInLive(environment, { allowLoopback, addresses });
  },
} satisfies AdapterSettings;
