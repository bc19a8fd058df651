import type { ApiClient } from '../client/api-client.js';
import { RemoteObject } from '../../http/remote-object.js';
import { PSU_TYPES } from '../settings.js';
import type { AspspName } from './remote-id.js';

export type PsuType = (typeof PSU_TYPES)[number];

/** A bank as the vendor lists it. */
export interface Aspsp extends AspspName {
  psuTypes: readonly PsuType[];
  /** The maximum duration of a permission. */
  maxValiditySeconds: number;
  psuHeaders: readonly string[];
  bic: string | null;
  logoUrl: string | null;
  group: string | null;
}

const MAX_ASPSPS = 20_000;
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** The banks of a country that list accounts, each name once. */
export async function readAspsps(
  callApi: ApiClient,
  country: string,
  { isLogin, signal }: { isLogin: boolean; signal: AbortSignal },
): Promise<Aspsp[]> {
  const response = await callApi({
    method: 'GET',
    path: ['aspsps'],
    query: { country, service: 'AIS' },
    isLogin,
    signal,
  });
  const listed = new RemoteObject(response, 'response').list('aspsps', MAX_ASPSPS).map(toAspsp);
  const byName = new Map<string, Aspsp>();
  for (const aspsp of listed) {
    if (aspsp.country === country && !byName.has(aspsp.name)) byName.set(aspsp.name, aspsp);
  }
  return [...byName.values()];
}

export function toAspsp(remote: unknown): Aspsp {
  const aspsp = new RemoteObject(remote, 'aspsp');
  const psuTypes = aspsp.textList('psu_types', { count: 10, max: 40 });
  const bic = aspsp.optional('bic', (it) => it.text('bic', { max: 40 }));
  const logo = aspsp.optional('logo', (it) => it.text('logo', { max: 2_048 }));
  const group = aspsp.optional('group', (it) => it.object('group'));
  return {
    name: aspsp.text('name', { max: 300 }),
    country: aspsp.text('country', { max: 2, pattern: /^[A-Z]{2}$/ }),
    psuTypes: PSU_TYPES.filter((type) => psuTypes.includes(type)),
    maxValiditySeconds: aspsp.wholeNumber('maximum_consent_validity', { max: 1e10 }),
    psuHeaders:
      aspsp.optional('required_psu_headers', (it) =>
        it.textList('required_psu_headers', { count: 20, max: 100 }),
      ) ?? [],
    bic: bic !== null && BIC.test(bic) ? bic : null,
    logoUrl: logo?.startsWith('https://') === true ? logo : null,
    group: group?.optional('name', (it) => it.text('name', { max: 300 })) ?? null,
  };
}
