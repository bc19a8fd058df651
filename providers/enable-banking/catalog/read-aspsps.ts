import { notePart, readEach, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ApiClient } from '../client/api-client.js';
import { PSU_TYPES } from '../settings.js';
import type { AspspName } from './remote-id.js';

export type PsuType = (typeof PSU_TYPES)[number];

/** An entry of the vendor's list. A bank has several if it lists its kinds of users separately. */
export interface Aspsp extends AspspName {
  /** The kinds of users that it states. */
  psuTypes: readonly PsuType[];
  /** It may accept others, too: it states none, or one that cannot be read. */
  mayAcceptOthers: boolean;
  /** The maximum duration of a permission. */
  maxValiditySeconds: number;
  psuHeaders: readonly string[];
  bic: string | null;
  logoUrl: string | null;
  group: string | null;
}

const MAX_ASPSPS = 20_000;
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
/**
 * PSD2 let every bank ask for a new login after 90 days until it extended that to 180: a bank that
 * does not state its bound allows this one.
 */
const USUAL_VALIDITY_SECONDS = 90 * 86_400;
/** A requirement that no known header meets, so that none is sent (psu-headers.ts). */
const UNKNOWN_HEADERS = ['unknown'];

export interface AspspQuery {
  country: string;
  isLogin: boolean;
  signal: AbortSignal;
  note: ReadScope['note'];
}

/** The entries for banks of a country that list accounts; unreadable ones are noted and omitted. */
export async function readAspsps(callApi: ApiClient, query: AspspQuery): Promise<Aspsp[]> {
  const scope = { account: null, note: query.note };
  const listed = await listAspsps(callApi, query);
  return readEach(listed, { ...scope, scope: 'institution' }, (remote) =>
    toAspsp(remote, scope),
  ).filter(({ country }) => country === query.country);
}

/**
 * The entries for one bank, of which only they are read: no other entry can prevent a login. If the
 * whole list is unreadable, the bank is one that states nothing.
 * @returns none for a bank that is not listed
 */
export async function readOwnAspsps(
  callApi: ApiClient,
  wanted: AspspName,
  query: Omit<AspspQuery, 'country'>,
): Promise<Aspsp[]> {
  const scope = { account: null, note: query.note };
  const { country } = wanted;
  const listed = await listAspsps(callApi, { ...query, country }).catch((error: unknown) => {
    notePart({ ...scope, scope: 'value' }, error);
    return [{ ...wanted, required_psu_headers: UNKNOWN_HEADERS }];
  });
  return listed
    .filter((remote) => nameOf(remote) === wanted.name)
    .map((remote) => {
      const aspsp = new RemoteObject(remote, 'aspsp', scope);
      const named = aspsp.maybe('country', countryOf);
      return { ...wanted, country: named ?? country, ...factsOf(aspsp) };
    })
    .filter((aspsp) => aspsp.country === country);
}

async function listAspsps(
  callApi: ApiClient,
  { country, isLogin, signal }: Omit<AspspQuery, 'note'>,
): Promise<unknown[]> {
  const response = await callApi({
    method: 'GET',
    path: ['aspsps'],
    query: { country, service: 'AIS' },
    isLogin,
    signal,
  });
  return new RemoteObject(response, 'response').list('aspsps', MAX_ASPSPS);
}

const nameOf = (remote: unknown): unknown =>
  typeof remote === 'object' && remote !== null && 'name' in remote ? remote.name : undefined;

/** @throws Unreadable without a name or a country */
export function toAspsp(remote: unknown, scope: ReadScope): Aspsp {
  const aspsp = new RemoteObject(remote, 'aspsp', scope);
  const name = aspsp.text('name', { max: 300, pattern: /\S/ });
  return { name, country: countryOf(aspsp), ...factsOf(aspsp) };
}

const countryOf = (aspsp: RemoteObject): string =>
  aspsp.text('country', { max: 2, pattern: /^[A-Z]{2}$/ });

/** Everything that a bank may omit. */
function factsOf(aspsp: RemoteObject): Omit<Aspsp, keyof AspspName> {
  const bic = textOf(aspsp, 'bic');
  const logo = textOf(aspsp, 'logo');
  const group = aspsp.maybe('group', (it) => it.object('group'));
  return {
    ...psuTypesOf(aspsp),
    maxValiditySeconds:
      // Zero would end a permission before it begins.
      aspsp.maybe('maximum_consent_validity', (it) =>
        it.wholeNumber('maximum_consent_validity', { max: 1e10 }),
      ) || USUAL_VALIDITY_SECONDS,
    psuHeaders: psuHeadersOf(aspsp),
    bic: bic !== null && BIC.test(bic) ? bic : null,
    logoUrl: logo?.startsWith('https://') === true ? logo : null,
    group: group === null ? null : textOf(group, 'name'),
  };
}

/** Null for an empty one, which needs no fault. */
const textOf = (remote: RemoteObject, field: string): string | null =>
  remote.maybe(field, (it) => (it.any(field) === '' ? null : it.text(field, { max: 2_048 })));

function psuTypesOf(aspsp: RemoteObject): Pick<Aspsp, 'psuTypes' | 'mayAcceptOthers'> {
  const field = 'psu_types';
  const listed = aspsp.maybe(field, (it) => it.list(field, 100)) ?? [];
  const words = listed.map((word) => String(word).toLowerCase());
  const psuTypes = PSU_TYPES.filter((type) => words.includes(type));
  const isKnown = (word: string) => PSU_TYPES.some((type) => type === word);
  return { psuTypes, mayAcceptOthers: words.length === 0 || !words.every(isKnown) };
}

function psuHeadersOf(aspsp: RemoteObject): string[] {
  const field = 'required_psu_headers';
  if ((aspsp.any(field) ?? null) === null) return [];
  return aspsp.maybe(field, (it) => it.textList(field, { count: 20, max: 100 })) ?? UNKNOWN_HEADERS;
}
