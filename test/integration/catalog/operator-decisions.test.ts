import { listedInstitution } from '../../support/fixtures/listed-institution.js';
import { connectedLink, TENANT, store } from '../../support/fixtures/linking-store.js';
import {
  catalog,
  find,
  IN_DENMARK,
  jyske,
  listedIds,
  openCatalog,
  operator,
  routesOf,
  switchTo,
} from './support/listed-catalog.js';

openCatalog();

describe("The operator's decisions", () => {
  const apart = () => listedInstitution({ remoteId: 'jb', name: 'JB', domain: 'jyskebank.dk' });

  it('are found among the doubts, and survive later lists', async () => {
    await switchTo('north', [jyske()]);
    await switchTo('south', [apart()]);
    expect(await operator.doubts()).toEqual([
      {
        provider: 'south',
        remoteId: 'jb',
        name: 'JB',
        country: 'DK',
        institutionId: 'jb-dk',
        doubts: ['jyske-bank-dk'],
      },
    ]);
    await operator.join('south', 'jb', 'jyske-bank-dk');
    expect(await operator.doubts()).toEqual([]);
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske', 'south jb']);
    expect(await routesOf('jb-dk')).toEqual([]);

    await switchTo('south', [{ ...apart(), name: 'Another name' }]);
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske', 'south jb']);
    expect(await operator.split('south', 'jb')).toBe('another-name-dk');
    await switchTo('south', [{ ...apart(), bic: 'JYBADKKK' }]);
    expect(await routesOf('another-name-dk')).toEqual(['south jb']);
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske']);
    expect(await find('another-name-dk')).toMatchObject({ name: 'JB' });
  });

  it('confirm that an entry stands alone', async () => {
    await switchTo('north', [jyske()]);
    await switchTo('south', [apart()]);
    expect(await operator.split('south', 'jb')).toBe('jb-dk');
    expect(await operator.doubts()).toEqual([]);
  });

  it.each<[string, [string, string, string], RegExp]>([
    [
      'an entry that was never listed',
      ['south', 'x', 'jyske-bank-dk'],
      /never listed an institution "x"/,
    ],
    ['an unknown institution', ['south', 'jb', 'x'], /no institution x/],
    [
      'another country',
      ['south', 'jb', 'handelsbanken-se'],
      /institution of SE, live; "jb" is one of DK, live/,
    ],
    ['Sandbox', ['south', 'jb', 'first-bank'], /institution of US, sandbox/],
    [
      'a place that is already used',
      ['south', 'jb', 'other-dk'],
      /south reaches other-dk already, as "o"/,
    ],
  ])('cannot join %s', async (_what, [provider, remoteId, institutionId], message) => {
    await switchTo('north', [
      jyske(),
      listedInstitution({ remoteId: 'h', name: 'Handelsbanken', country: 'SE' }),
    ]);
    await switchTo('south', [apart(), listedInstitution({ remoteId: 'o', name: 'Other' })]);
    await expect(operator.join(provider, remoteId, institutionId)).rejects.toThrow(message);
  });

  it('never change the institution of a link', async () => {
    const { linkId } = await connectedLink(store);
    for (const provider of ['sandbox', 'other'])
      await catalog.switchTo({
        provider,
        environment: 'sandbox',
        entries: [
          listedInstitution({
            institutionId: 'first-bank',
            remoteId: 'first-bank',
            name: 'First',
            country: 'US',
          }),
        ],
        acceptLosses: true,
      });
    await expect(operator.split('sandbox', 'first-bank')).rejects.toThrow(
      '1 link uses first-bank through sandbox, and an institution never changes under a link.',
    );
    const before = await store.links.get(TENANT, linkId);
    expect(await operator.split('other', 'first-bank')).toBe('first-us');
    expect(await store.links.get(TENANT, linkId)).toEqual(before);
  });

  it('hide an institution from lists, searches and sessions until it is shown again', async () => {
    await switchTo('north', [jyske()]);
    const filter = IN_DENMARK;
    const offered = async () => [
      ...(await listedIds()),
      ...(
        await store.institutions.search(filter, {
          query: 'jyske',
          country: null,
          cursor: null,
          limit: 5,
        })
      ).institutions.map(({ institutionId }) => institutionId),
      (await store.institutions.findAvailable(filter, 'jyske-bank-dk'))?.institutionId,
    ];
    expect(await offered()).toEqual(['jyske-bank-dk', 'jyske-bank-dk', 'jyske-bank-dk']);
    expect(await operator.setHidden('jyske-bank-dk', true)).toBe(true);
    await switchTo('north', [jyske({ name: 'Jyske Bank Danmark' })]);
    expect(await offered()).toEqual([undefined]);
    expect(
      await store.institutions.findAvailable({ ...filter, hiddenToo: true }, 'jyske-bank-dk'),
    ).not.toBeNull();
    await operator.setHidden('jyske-bank-dk', false);
    expect(await offered()).toHaveLength(3);
    expect(await operator.setHidden('no-such-bank', true)).toBe(false);
  });

  it('find institutions by their ids, by ids of providers and by words', async () => {
    await switchTo('north', [jyske({ aliases: ['old-id'] })]);
    for (const text of ['jyske-bank-dk', 'old-id', 'jyske', 'JYSKE ban', 'jyskebank.dk'])
      expect(await operator.find(text)).toMatchObject([
        { institutionId: 'jyske-bank-dk', hidden: false, routes: ['north: jyske (redirect)'] },
      ]);
    expect(await operator.find('%')).toEqual([]);
  });
});
