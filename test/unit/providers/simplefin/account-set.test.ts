import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import {
  readAccountSet,
  unreportedAccounts,
} from '../../../../providers/simplefin/data/account-set.js';

const account = (id: string, connection?: string) => ({
  id,
  ...(connection === undefined ? {} : { conn_id: connection }),
});
const connection = (conn_id: string) => ({ conn_id, name: 'Bank', org_id: 'o', sfin_url: 's' });
const faults: SourceFault[] = [];
const noting = { note: (fault: SourceFault) => void faults.push(fault) };
beforeEach(() => void faults.splice(0));
const read = (body: object) => readAccountSet(JSON.stringify(body), noting);
const v2 = (errlist: object[], ids: [string, string][], connections = ['c1', 'c2']) =>
  read({
    errlist,
    connections: connections.map(connection),
    accounts: ids.map(([id, conn]) => account(id, conn)),
  });
const BOTH: [string, string][] = [
  ['a1', 'c1'],
  ['a2', 'c2'],
];

describe('The accounts of a SimpleFIN server', () => {
  it.each([
    ['version 1', { errors: [], accounts: [account('a1')] }],
    ['version 2', { errlist: [], connections: [], accounts: [account('a1', 'c1')] }],
    ['both at once', { errors: [], errlist: [], connections: [], accounts: [account('a1')] }],
  ])('are read from %s, and all are reported', (_version, body) => {
    const set = read(body);
    expect(set.accounts.map(({ id }) => id)).toEqual(['a1']);
    expect(unreportedAccounts(set, ['a1', 'closed'])).toEqual([]);
  });

  it.each([
    ['a failed bank that is listed', { code: 'con.auth', conn_id: 'c2' }, BOTH, ['a2', 'gone']],
    ['an unknown code of a bank', { code: 'con.new', conn_id: 'c2' }, BOTH, ['a2', 'gone']],
    ['a failed bank that is missing', { code: 'con.', conn_id: 'c2' }, [BOTH[0]], ['a2', 'gone']],
    ['a failed account', { code: 'act.failed', account_id: 'a1' }, BOTH, ['a1']],
    ['missing rows', { code: 'act.missingdata', account_id: 'a2' }, BOTH, ['a2']],
    ['an error without a code', { conn_id: 'c2' }, BOTH, ['a2', 'gone']],
    ['an unreadable code', { code: 7, account_id: 'a1' }, BOTH, ['a1']],
    ['a general error', { code: 'gen.' }, BOTH, ['gone']],
    ['an unknown prefix', { code: 'new.thing' }, [BOTH[0]], ['a2', 'gone']],
    ['advice on the use of the API', { code: 'gen.api' }, BOTH, []],
  ])('are unreported if %s concerns them', (_what, error, listed, unreported) => {
    const set = v2([{ msg: 'secret-canary', ...error }], listed as [string, string][]);
    expect(unreportedAccounts(set, ['a1', 'a2', 'gone']).toSorted()).toEqual(unreported);
  });

  it.each([
    'Connection to Other Bank failed',
    'You must reauthenticate within 30 days.',
    'Please donate.',
  ])('are unreported in version 1 only if they are missing beside the text %j', (text) => {
    const set = read({ errors: [text], accounts: [account('a1')] });
    expect(unreportedAccounts(set, ['a1'])).toEqual([]);
    expect(unreportedAccounts(set, ['a1', 'a2'])).toEqual(['a2']);
  });

  it.each([
    [
      'every bank failed',
      [
        { code: 'con.', conn_id: 'c1' },
        { code: 'con.auth', conn_id: 'c2' },
      ],
      BOTH,
    ],
    ['a bank failed and no account is left', [{ code: 'con.', conn_id: 'c1' }], []],
    ['something failed and no account is left', [{ code: 'gen.' }], []],
  ])('are institution_down when %s', (_what, errors, listed) => {
    const reading = () =>
      v2(
        errors.map((error) => ({ msg: 'secret-canary', ...error })),
        listed as [string, string][],
      );
    expect(reading).toThrow(expect.objectContaining({ providerCause: 'institution_down' }));
    expect(reading).not.toThrow(/secret-canary/);
  });

  it.each<[string, unknown]>([
    ['without an id', {}],
    ['that is not an object', 7],
  ])(
    'are read beside a connection %s, which is noted alone and may be one that works',
    (_what, entry) => {
      const set = read({
        errlist: ['c1', 'c2'].map((conn_id) => ({ code: 'con.', conn_id })),
        connections: [connection('c1'), entry, connection('c2')],
        accounts: BOTH.map(([id, conn]) => account(id, conn)),
      });
      expect(unreportedAccounts(set, ['a1', 'a2'])).toEqual(['a1', 'a2']);
      expect(faults).toMatchObject([{ scope: 'value', account: null, resource: 'connection' }]);
    },
  );

  it('are consent_expired when the server reports that the access has ended', () => {
    const reading = () => v2([{ code: 'gen.auth', msg: 'x' }], []);
    expect(reading).toThrow(expect.objectContaining({ providerCause: 'consent_expired' }));
  });

  it.each([
    ['no JSON', 'Forbidden'],
    ['no list of accounts', JSON.stringify({ errlist: [], accounts: 'none' })],
    ['a list', '[]'],
  ])('are malformed with %s', (_what, body) => {
    expect(() => readAccountSet(body, noting)).toThrow(
      expect.objectContaining({ providerCause: 'malformed' }),
    );
  });

  it.each<[string, unknown]>([
    ['without an id', {}],
    ['that is not an object', 7],
    ['under the id of another', account('a1')],
  ])('are read without one %s, and none of the others counts as gone', (_what, broken) => {
    const set = read({ errors: [], accounts: [account('a1'), broken] });
    expect(set.accounts.map(({ id }) => id)).toEqual(['a1']);
    expect(faults).toMatchObject([{ scope: 'account', account: null, resource: 'account' }]);
  });

  it.each([
    ['an error without a code', { errlist: [{ msg: 'x' }] }],
    ['an error that is not an object', { errlist: ['x'] }],
  ])(
    'are unreported beside %s only if they are missing, and the error is noted',
    (_what, errors) => {
      const set = read({ ...errors, connections: [], accounts: [account('a1')] });
      expect(unreportedAccounts(set, ['a1', 'a2'])).toEqual(['a2']);
      expect(faults).toMatchObject([{ scope: 'value', account: null, resource: 'error' }]);
    },
  );

  it('need no list of errors', () => {
    expect(unreportedAccounts(read({ accounts: [account('a1')] }), ['a1'])).toEqual([]);
  });
});
