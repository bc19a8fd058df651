import fc from 'fast-check';
import {
  joinInstitutions,
  type KnownInstitution,
} from '../../../../domain/institutions/join-institutions.js';
import type { ListedInstitution } from '../../../../domain/institutions/listed-institution.js';
import { institutionSlug } from '../../../../domain/institutions/institution-slug.js';
import { nameSimilarity } from '../../../../domain/institutions/name-similarity.js';
import { registrableDomain } from '../../../../domain/institutions/registrable-domain.js';
import { listedInstitution } from '../../../support/fixtures/listed-institution.js';

const known = (institutionId: string, over: Partial<KnownInstitution> = {}): KnownInstitution => ({
  institutionId,
  country: 'DK',
  name: 'Jyske Bank',
  domains: [],
  bics: [],
  ...over,
});
const joinAll = (
  entries: readonly ListedInstitution[],
  institutions: readonly KnownInstitution[],
  seen: Iterable<[string, string]> = [],
) =>
  joinInstitutions({
    entries,
    seen: new Map(seen),
    known: institutions,
    isTaken: (id) => institutions.some(({ institutionId }) => institutionId === id),
  });
const joinOne = (over: Partial<ListedInstitution>, ...institutions: KnownInstitution[]) =>
  joinAll([listedInstitution(over)], institutions).get('remote');

describe('An entry of a provider', () => {
  it.each<[string, Partial<ListedInstitution>, KnownInstitution[], { id: string; by: string }]>([
    [
      'by its BIC, whatever the name',
      { bic: 'JYBADKKK', name: 'JB' },
      [known('jyske-dk', { bics: ['JYBADKKKXXX'] })],
      { id: 'jyske-dk', by: 'bic' },
    ],
    [
      'by its BIC and the similar name where several have the BIC',
      { bic: 'BNPAFRPP', name: 'Hello bank!', country: 'FR' },
      [
        known('bnp-fr', { country: 'FR', name: 'BNP Paribas', bics: ['BNPAFRPP'] }),
        known('hello-fr', { country: 'FR', name: 'Hello Bank', bics: ['BNPAFRPP'] }),
      ],
      { id: 'hello-fr', by: 'bic' },
    ],
    [
      'by its domain and a similar name',
      { domain: 'jyskebank.dk', name: 'Jyske Bank A/S' },
      [known('jyske-dk', { domains: ['jyskebank.dk'] }), known('other-dk', { name: 'Other' })],
      { id: 'jyske-dk', by: 'domain' },
    ],
    [
      'by its domain and the only similar name',
      { domain: 'group.dk', name: 'North Savings' },
      [
        known('north-dk', { domains: ['group.dk'], name: 'North Savings Bank' }),
        known('south-dk', { domains: ['group.dk'], name: 'South Insurance' }),
      ],
      { id: 'north-dk', by: 'domain' },
    ],
    ['as a new one without anything in common', {}, [], { id: 'jyske-bank-dk', by: 'new' }],
    [
      'as a new one where only another country has the BIC and the domain',
      { bic: 'JYBADKKK', domain: 'jyskebank.dk' },
      [known('jyske-de', { country: 'DE', bics: ['JYBADKKK'], domains: ['jyskebank.dk'] })],
      { id: 'jyske-bank-dk', by: 'new' },
    ],
  ])('is joined %s', (_how, over, institutions, { id, by }) => {
    expect(joinOne(over, ...institutions)).toEqual({
      institutionId: id,
      matchedBy: by,
      doubts: [],
    });
  });

  it.each<[string, Partial<ListedInstitution>, KnownInstitution[], string[]]>([
    [
      'several similar institutions have its domain',
      { domain: 'group.dk' },
      [
        known('b-dk', { domains: ['group.dk'], name: 'Jyske Bank Privat' }),
        known('a-dk', { domains: ['group.dk'] }),
      ],
      ['a-dk', 'b-dk'],
    ],
    [
      'its domain is that of a dissimilar name',
      { domain: 'chase.com', name: 'JPMorgan Private Bank' },
      [known('chase-dk', { domains: ['chase.com'], name: 'Chase' })],
      ['chase-dk'],
    ],
    [
      'several have its BIC and none a similar name',
      { bic: 'AAAADKKK' },
      [
        known('a-dk', { bics: ['AAAADKKK'], name: 'One' }),
        known('b-dk', { bics: ['AAAADKKK'], name: 'Two' }),
      ],
      ['a-dk', 'b-dk'],
    ],
    [
      'the institution with its domain and name has another BIC',
      { bic: 'AGRIDKAA', domain: 'agricole.dk' },
      [known('a-dk', { domains: ['agricole.dk'], bics: ['AGRIDKBB'] })],
      ['a-dk'],
    ],
    ['nothing but its name is known', { domain: 'jyskebank.dk' }, [known('a-dk')], ['a-dk']],
  ])('stays separate, in doubt, if %s', (_why, over, institutions, doubts) => {
    const joined = joinOne(over, ...institutions);
    expect(joined).toMatchObject({ matchedBy: 'new', doubts });
    expect(institutions.map(({ institutionId }) => institutionId)).not.toContain(
      joined?.institutionId,
    );
  });

  it('causes no doubt if a bank of the same name has another domain', () => {
    expect(joinOne({ domain: 'first.dk' }, known('a-dk', { domains: ['other.dk'] }))).toMatchObject(
      { matchedBy: 'new', doubts: [] },
    );
  });

  it('keeps the institution of its remote id, whatever its current name', () => {
    const found = joinAll(
      [listedInstitution({ name: 'Renamed', bic: 'JYBADKKK' })],
      [known('jyske-dk', { bics: ['JYBADKKK'] })],
      [['remote', 'first-of-all']],
    );
    expect(found.get('remote')).toMatchObject({
      institutionId: 'first-of-all',
      matchedBy: 'remote_id',
    });
  });

  it('has the id that its provider assigns', () => {
    expect(joinOne({ institutionId: 'my-bank' })).toMatchObject({
      institutionId: 'my-bank',
      matchedBy: 'given',
    });
  });

  it('does not join an institution that the provider already reaches', () => {
    const found = joinAll(
      [
        listedInstitution({ remoteId: 'old' }),
        listedInstitution({ remoteId: 'business', bic: 'JYBADKKK' }),
      ],
      [known('jyske-dk', { bics: ['JYBADKKK'] })],
      [['old', 'jyske-dk']],
    );
    expect(found.get('business')).toMatchObject({ matchedBy: 'new', doubts: ['jyske-dk'] });
  });

  it('loses a contested institution to the entry with the most similar name, and a tie joins none', () => {
    const institutions = [known('bnp-dk', { name: 'BNP Paribas', bics: ['BNPAFRPP'] })];
    const contested = (...names: string[]) => {
      const found = joinAll(
        names.map((name) => listedInstitution({ remoteId: name, name, bic: 'BNPAFRPP' })),
        institutions,
      );
      return names.filter((name) => found.get(name)?.institutionId === 'bnp-dk');
    };
    expect(contested('Hello bank!', 'BNP Paribas')).toEqual(['BNP Paribas']);
    expect(contested('BNP Paribas', 'BNP Paribas SA')).toEqual([]);
  });
});

const words = fc.constantFrom('North', 'South', 'Bank', 'Savings', 'Union', 'Δέλτα');
const entryOf = (remoteId: string) =>
  fc
    .record({
      name: fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
      country: fc.constantFrom('DK', 'SE'),
      domain: fc.constantFrom(null, 'one.example', 'two.example'),
      bic: fc.constantFrom(null, 'AAAADKKK', 'BBBBDKKK'),
    })
    .map((over) => listedInstitution({ remoteId, ...over }));
const lists = fc
  .integer({ min: 0, max: 12 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => entryOf(`r${index}`))));
const institutionsOf = fc.array(entryOf('x'), { maxLength: 8 }).map((found) =>
  found.map(({ name, country, domain, bic }, index) =>
    known(`known-${index}`, {
      name,
      country,
      domains: domain === null ? [] : [domain],
      bics: bic === null ? [] : [bic],
    }),
  ),
);

describe('The joining of a whole list', () => {
  it('does not depend on the order of the entries', () => {
    fc.assert(
      fc.property(
        lists.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        institutionsOf,
        ([list, shuffled], institutions) => {
          const sorted = (found: Map<string, unknown>) => [...found].sort();
          expect(sorted(joinAll(shuffled, institutions))).toEqual(
            sorted(joinAll(list, institutions)),
          );
        },
      ),
    );
  });

  it('assigns every entry an institution of its own, in its country', () => {
    fc.assert(
      fc.property(lists, institutionsOf, (list, institutions) => {
        const found = joinAll(list, institutions);
        const ids = list.map(({ remoteId }) => found.get(remoteId)?.institutionId);
        expect(new Set(ids).size).toBe(list.length);
        for (const { remoteId, country } of list) {
          const target = institutions.find(
            ({ institutionId }) => institutionId === found.get(remoteId)?.institutionId,
          );
          expect(target?.country ?? country).toBe(country);
        }
      }),
    );
  });

  it('is the same when it is repeated with its result', () => {
    fc.assert(
      fc.property(lists, institutionsOf, (list, institutions) => {
        const first = joinAll(list, institutions);
        const seen = [...first].map(
          ([remoteId, { institutionId }]) => [remoteId, institutionId] as [string, string],
        );
        for (const [remoteId, { institutionId }] of joinAll(list, institutions, seen))
          expect(institutionId).toBe(first.get(remoteId)?.institutionId);
      }),
    );
  });
});

describe('The parts of joining', () => {
  it.each([
    ['Wells Fargo Bank, N.A.', 'Wells Fargo', 1],
    ['JP Morgan', 'JPMorgan', 1],
    ['Crédit Agricole', 'Credit Agricole S.A.', 1],
    ['Deutsche Bank', 'Deutsche Bank AG', 1],
    ['Crédit Agricole Alpes Provence', 'Crédit Agricole Alsace Vosges', 0.5],
    ['Chase', 'JPMorgan Private', 0],
    ['The Bank', 'The Bank', 1],
  ])('%j and %j are similar to %d', (one, other, similarity) => {
    expect(nameSimilarity(one, other)).toBe(similarity);
    expect(nameSimilarity(other, one)).toBe(similarity);
  });

  it.each([
    ['https://www.jyskebank.dk/login', 'jyskebank.dk'],
    ['online.bank.co.uk', 'bank.co.uk'],
    ['https://mybank.github.io', 'mybank.github.io'],
    ['https://192.0.2.1/', null],
    ['', null],
    ['not an address', null],
  ])('the registrable domain of %j is %j', (address, domain) => {
    expect(registrableDomain(address)).toBe(domain);
  });

  it.each([
    [
      { name: 'Crédit Agricole d’Île-de-France', domain: null, country: 'FR' },
      'credit-agricole-dile-de-france-fr',
    ],
    [{ name: 'Εθνική Τράπεζα', domain: 'nbg.gr', country: 'GR' }, 'nbg-gr'],
    [{ name: 'Εθνική Τράπεζα', domain: null, country: 'GR' }, 'institution-gr'],
    [{ name: 'Taken', domain: null, country: 'US' }, 'taken-us-3'],
    [{ name: 'x'.repeat(300), domain: null, country: 'US' }, `${'x'.repeat(48)}-us`],
  ])('%j becomes the id %j', (facts, id) => {
    expect(institutionSlug(facts, (other) => ['taken-us', 'taken-us-2'].includes(other))).toBe(id);
  });
});
