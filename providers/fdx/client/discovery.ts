import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { malformed } from '../../http/remote-object.js';
import { readJson } from '../../http/read-json.js';
import { addressesIn, metadataSchema, type FdxInstitution, type Metadata } from '../settings.js';
import { isAllowedAddress, type BankHttp } from './bank-http.js';

export interface Discovered {
  metadata: Metadata;
  /** The clock of the bank; null = the bank does not show it. */
  date: Date | null;
}

export interface DiscoveryParts {
  http: BankHttp;
  allowLoopback: boolean;
}

/**
 * Reads the discovery document of a bank: the one of OpenID Connect, or else the one of OAuth (RFC
 * 8414).
 * @throws ProviderFailure, also for a document that names another issuer
 */
export function discover(
  parts: DiscoveryParts,
  institution: FdxInstitution,
  signal: AbortSignal,
): Promise<Discovered> {
  return parts.http.within(
    'authorization',
    signal,
    async (within) => {
      const fetch = parts.http.fetchFor(institution, 'authorization', within);
      const read = (address: string) =>
        fetch(address, {
          method: 'GET',
          headers: { accept: 'application/json' },
          body: null,
          redirect: 'manual',
        });
      const [first, second] = addressesOf(institution.issuer);
      let response = await read(first);
      if (response.status === 404) response = await read(second);
      if (response.status !== 200) throw malformed(`discovery has the status ${response.status}`);
      const date = new Date(response.headers.get('date') ?? '');
      return {
        metadata: toMetadata(
          readJson(await response.arrayBuffer()),
          institution,
          parts.allowLoopback,
        ),
        date: Number.isNaN(date.getTime()) ? null : date,
      };
    },
    notUnderstood,
  );
}

/**
 * The pinned metadata. A document that no check has seen receives no key, login or token.
 * @throws ProviderFailure `provider_down`, which lasts until a check pins it
 */
export function metadataOf({ metadata }: Pick<FdxInstitution, 'metadata'>): Metadata {
  if (metadata !== null) return metadata;
  throw new ProviderFailure(
    'provider_down',
    'The addresses of the bank are not pinned: providers check pins them when the bank responds.',
  );
}

/** The names of the members that differ; empty = equal. */
export function differences(pinned: Metadata, found: Metadata): string[] {
  const names = Object.keys(metadataSchema.shape) as (keyof Metadata)[];
  return names.filter((name) => canonical(pinned[name]) !== canonical(found[name]));
}

function addressesOf(issuer: string): [string, string] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/**
 * Reads a discovery document. A member that is optional and unreadable is omitted.
 * @throws ProviderFailure without an address that a login needs
 */
export function toMetadata(
  document: unknown,
  { issuer }: Pick<FdxInstitution, 'issuer'>,
  allowLoopback: boolean,
): Metadata {
  const members = (document ?? {}) as Readonly<Record<string, unknown>>;
  if (members['issuer'] !== issuer) throw malformed('discovery names another issuer');
  const readable = Object.entries(metadataSchema.shape).flatMap(([name, schema]) => {
    const member = members[name];
    const value = Array.isArray(member) ? member.filter((it) => typeof it === 'string') : member;
    return schema.safeParse(value).success ? [[name, value]] : [];
  });
  const { success, data } = metadataSchema.safeParse(Object.fromEntries(readable));
  if (!success) throw malformed('discovery lacks an address');
  if (!addressesIn(data).every((address) => isAllowedAddress(address, allowLoopback)))
    throw malformed('an address of discovery is not https');
  return data;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(String).sort());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const notUnderstood = (): ProviderFailure => malformed('discovery cannot be read');
