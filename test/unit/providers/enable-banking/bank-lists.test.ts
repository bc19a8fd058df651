import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import type { CatalogInstitution } from '../../../../providers/contract/provider.js';
import { listInstitutions } from '../../../../providers/enable-banking/catalog/list-institutions.js';
import type { PsuType } from '../../../../providers/enable-banking/catalog/read-aspsps.js';
import { remoteIdOf } from '../../../../providers/enable-banking/catalog/remote-id.js';
import type { ApiCall, ApiClient } from '../../../../providers/enable-banking/client/api-client.js';
import { failureOfResponse } from '../../../../providers/enable-banking/client/failure-table.js';
import { startRedirect } from '../../../../providers/enable-banking/login/redirect-login.js';
import { malformed } from '../../../../providers/http/remote-object.js';
import { loginContext, redirectRequest } from '../../../support/fixtures/provider-calls.js';
import { collectFaults, faults, note } from './support/enable-banking-faults.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;
collectFaults();

const aspsp = (name: string, fields: object = {}) => ({
  name,
  country: 'DE',
  psu_types: ['personal'],
  maximum_consent_validity: 180 * 86_400,
  required_psu_headers: ['Psu-Ip-Address'],
  bic: 'MERIDEFFXXX',
  logo: 'https://logos.example/m.png',
  group: null,
  ...fields,
});

function answering(list: unknown) {
  const calls: ApiCall[] = [];
  const callApi: ApiClient = (call) => {
    calls.push(call);
    if (call.path[0] === 'auth') return Promise.resolve({ url: 'https://login.example/' });
    return list instanceof Error ? Promise.reject(list) : Promise.resolve(list);
  };
  return { callApi, calls };
}

async function listed(list: unknown, psuTypes: readonly PsuType[] = ['personal']) {
  const found: CatalogInstitution[] = [];
  const parts = { callApi: answering(list).callApi, countries: ['DE'], psuTypes };
  for await (const page of listInstitutions(parts, { countries: ['DE'], note, signal }))
    found.push(...page);
  return found;
}

const namesOf = (found: readonly CatalogInstitution[]) => found.map(({ name }) => name);

/** The request that starts a login at a bank. */
async function startAt(name: string, list: unknown, psuTypes: readonly PsuType[] = ['personal']) {
  const { callApi, calls } = answering(list);
  const context = {
    ...loginContext({ remoteId: remoteIdOf({ name, country: 'DE' }) }),
    note: (fault: SourceFault) => note(fault),
  };
  await startRedirect({ callApi, psuTypes, now: () => NOW }, context, redirectRequest());
  return calls.at(-1)?.body as {
    access: { valid_until: string };
    aspsp: unknown;
    psu_type: string;
  };
}

const OPTIONAL_FIELDS = [
  'psu_types',
  'maximum_consent_validity',
  'required_psu_headers',
  'bic',
  'logo',
  'group',
] as const;
const ODD: unknown[] = [null, '', undefined, {}, [], [null], 7, -1, 'x', '\u0000', { name: '' }];
const ODD_FIELDS = OPTIONAL_FIELDS.flatMap((field) => ODD.map((value) => [field, value] as const));

describe('The list of banks of Enable Banking', () => {
  it.each(ODD_FIELDS)('lists a bank whose %s is %j, and every other one', async (field, value) => {
    const odd = aspsp('Odd Bank', { [field]: value });
    const found = await listed({ aspsps: [aspsp('First'), odd, aspsp('Last')] });
    expect(namesOf(found)).toEqual(['First', 'Odd Bank', 'Last']);
    expect(faults.filter(({ scope }) => scope !== 'value')).toEqual([]);
  });

  it.each([
    ['without a name', { ...aspsp(''), name: undefined }],
    ['with an empty name', aspsp('')],
    ['with a name of blanks', aspsp('  ')],
    ['with half a character as its name', aspsp('Bank \ud83d')],
    ['without a country', aspsp('Odd', { country: null })],
    ['with a country that is none', aspsp('Odd', { country: 'Germany' })],
    ['that is null', null],
    ['that is a text', 'Odd Bank'],
    ['that is a list', [aspsp('Odd Bank')]],
  ])('omits and counts an entry %s, and lists every other one', async (_what, odd) => {
    const found = await listed({ aspsps: [aspsp('First'), odd, aspsp('Last')] });
    expect(namesOf(found)).toEqual(['First', 'Last']);
    expect(faults).toMatchObject([{ scope: 'institution', account: null, resource: 'aspsp' }]);
  });

  const business = aspsp('Twice', { psu_types: ['business'], bic: null });
  const personal = aspsp('Twice', { maximum_consent_validity: 90 * 86_400, logo: '' });

  it.each<[string, PsuType[]]>([
    ['personal', ['personal', 'business']],
    ['business', ['business', 'personal']],
    ['personal', ['personal']],
    ['business', ['business']],
  ])(
    'lists two entries of one name once, with a login for %s users when these are wanted: %j',
    async (psuType, wanted) => {
      for (const aspsps of [
        [business, personal],
        [personal, business],
      ]) {
        expect(await listed({ aspsps }, wanted)).toMatchObject([{ name: 'Twice' }]);
        expect(await startAt('Twice', { aspsps }, wanted)).toMatchObject({ psu_type: psuType });
      }
    },
  );

  it('gives two entries of one name the facts that either has', async () => {
    const found = await listed({ aspsps: [business, personal] }, ['personal', 'business']);
    expect(found).toMatchObject([{ bic: 'MERIDEFFXXX', logoUrl: 'https://logos.example/m.png' }]);
  });

  it('omits a bank that states only kinds of users which the configuration does not want', async () => {
    expect(await listed({ aspsps: [business] })).toEqual([]);
  });

  it.each<[unknown[], PsuType]>([
    [['corporate'], 'business'],
    [[null], 'business'],
    [['personal', 7], 'personal'],
  ])('tries a bank with the kinds %j, of which one is unknown, as %s', async (kinds, psuType) => {
    const aspsps = [aspsp('Odd Bank', { psu_types: kinds })];
    expect(await listed({ aspsps })).toHaveLength(1);
    expect(await startAt('Odd Bank', { aspsps }, ['business', 'personal'])).toMatchObject({
      psu_type: psuType,
    });
  });

  it('reads the kinds of users in any case', async () => {
    expect(await listed({ aspsps: [aspsp('Loud', { psu_types: ['PERSONAL'] })] })).toHaveLength(1);
  });
});

describe('A login through Enable Banking', () => {
  it.each([
    null,
    7,
    'Meridian Bank',
    aspsp(''),
    aspsp('Other', { psu_types: null, maximum_consent_validity: {} }),
    { name: { 'Meridian Bank': true } },
  ])('succeeds beside the entry %j of another bank', async (odd) => {
    const aspsps = [odd, aspsp('Meridian Bank'), odd];
    expect(await startAt('Meridian Bank', { aspsps })).toMatchObject({
      aspsp: { name: 'Meridian Bank', country: 'DE' },
      psu_type: 'personal',
    });
    expect(faults).toEqual([]);
  });

  it.each(ODD_FIELDS)('succeeds at a bank whose own %s is %j', async (field, value) => {
    const aspsps = [aspsp('Odd Bank', { [field]: value })];
    expect(await startAt('Odd Bank', { aspsps })).toMatchObject({ psu_type: 'personal' });
  });

  it.each([null, '', 'Germany'])('succeeds at a bank whose own country is %j', async (country) => {
    const aspsps = [aspsp('Odd Bank', { country })];
    expect(await startAt('Odd Bank', { aspsps })).toMatchObject({ aspsp: { country: 'DE' } });
  });

  it.each([
    ['null', 90, null],
    ['zero', 90, 0],
    ['text', 90, 'long'],
    ['negative', 90, -1],
    ['digits in text', 30, String(30 * 86_400)],
    ['too long', 180, 999 * 86_400],
  ])(
    'requests an end that every bank allows when the bound is %s: %i days less an hour',
    async (_what, days, bound) => {
      const aspsps = [aspsp('Odd Bank', { maximum_consent_validity: bound })];
      const { access } = await startAt('Odd Bank', { aspsps });
      const end = new Date(NOW.getTime() + days * DAY_MS - 3_600_000);
      expect(access.valid_until).toBe(end.toISOString());
    },
  );

  it.each([
    ['null', null],
    ['without entries', { aspsps: null }],
    ['no JSON', malformed('it is not JSON')],
  ])('succeeds although the whole list is unreadable: %s', async (_what, list) => {
    expect(await startAt('Meridian Bank', list)).toMatchObject({
      aspsp: { name: 'Meridian Bank', country: 'DE' },
      psu_type: 'personal',
    });
    expect(faults).toMatchObject([{ scope: 'value' }]);
  });

  it('fails at a bank that a readable list lacks, and when the list is refused', async () => {
    await expect(startAt('Gone', { aspsps: [aspsp('Other')] })).rejects.toMatchObject({
      providerCause: 'not_supported',
    });
    const refused = failureOfResponse({ status: 503, body: {} });
    await expect(startAt('Gone', refused)).rejects.toMatchObject({
      providerCause: 'provider_down',
    });
  });
});
