import type { LoginGrant } from '../../../prisma/sources/permissions/login-grant.js';
import { accountFacts } from '../../support/fixtures/account-facts.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import {
  ACCOUNT,
  activities,
  ATTEMPT,
  LINKED,
  open,
  resetLogins,
  stage,
} from './support/login-stage.js';

resetLogins();

describe('Login activities', () => {
  it.each([
    ['can be renewed', true],
    ['cannot, although that was requestedProducts for', false],
  ])('note that a permission %s', async (_what, isRenewable) => {
    stage.outcome = () => ({ ...LINKED, isRenewable });
    await open();
    expect(stage.renewals).toEqual([{ provider: 'fake', remoteId: 'remote', isRenewable }]);
  });

  it('note nothing about a permission that was not meant to be renewed', async () => {
    await open();
    expect(stage.renewals).toEqual([]);
  });

  it('store the credential that a login received before it is used, and continue with it without another login', async () => {
    stage.accounts = [];
    await expect(open()).rejects.toMatchObject({ providerCause: 'no_accounts' });
    expect(stage.seen.calls).toEqual(['keep', 'list']);
    stage.accounts = [ACCOUNT];
    stage.outcome = () => {
      throw new Error('the token was used twice');
    };
    expect(await open()).toEqual({ kind: 'linked', accounts: 1, questions: ['consent'] });
    expect(stage.seen.calls).toEqual(['keep', 'list', 'list']);
    expect(stage.seen.stored).toMatchObject([{ reference: 'conn_1', accounts: [ACCOUNT] }]);
    expect({ released: stage.released, revoked: stage.seen.revoked }).toEqual({
      released: [],
      revoked: [],
    });
  });

  it('store a credential that the source renews while accounts are listed', async () => {
    stage.accounts = [];
    stage.renewing = (access) => access.renewCredential(async () => Buffer.from('canary renewed'));
    await expect(open()).rejects.toMatchObject({ providerCause: 'no_accounts' });
    expect(Buffer.from(stage.held?.credential ?? []).toString()).toBe('canary renewed');
  });

  it('list the accounts with the stored facts of those of the link', async () => {
    const facts = accountFacts('liability.loan');
    stage.relink = { reference: null, products: [], accountFacts: new Map([['a1', facts]]) };
    let known: unknown;
    stage.renewing = async ({ accountFacts }) => {
      known = accountFacts?.get('a1');
    };
    await open();
    expect(known).toEqual(facts);
  });

  it('do not poll a bank again whose permission was received', async () => {
    stage.held = LINKED as LoginGrant;
    stage.polled = [
      () => {
        throw new Error('the bank was polled again');
      },
    ];
    expect(await quietEnvironment().run(activities.awaitBank, ATTEMPT)).toMatchObject({
      kind: 'linked',
    });
  });

  const tooLate = () => Promise.reject(new Error('the session has ended'));

  it('revoke a permission that arrives too late for its session', async () => {
    stage.keep = tooLate;
    await expect(open()).rejects.toThrow('the session has ended');
    expect(stage.released).toEqual([
      {
        linkId: 'mk_1',
        provider: 'fake',
        reference: 'conn_1',
        credential: 'canary credential',
      },
    ]);
    // The revocation is recorded, and its workflow retries until the bank has confirmed it.
    expect({ revoked: stage.seen.revoked, calls: stage.seen.calls }).toEqual({
      revoked: [],
      calls: [],
    });
  });

  it('leave the end of a retained permission to its session', async () => {
    stage.storeLinked = tooLate;
    await expect(open()).rejects.toThrow('the session has ended');
    expect({ released: stage.released, revoked: stage.seen.revoked }).toEqual({
      released: [],
      revoked: [],
    });
  });

  it.each([
    ['the link is gone', async () => false],
    ['the database is unavailable', () => Promise.reject(new Error('no connection'))],
  ])('revoke at the bank directly, once, when %s', async (_, noted) => {
    stage.keep = tooLate;
    stage.release = noted;
    await expect(open()).rejects.toThrow('the session has ended');
    expect(stage.seen.revoked.map(({ credential }) => Buffer.from(credential).toString())).toEqual([
      'canary credential',
    ]);
  });

  it('do not revoke a permission that the bank renewed under the reference of the link', async () => {
    stage.keep = tooLate;
    stage.relink = { reference: 'conn_1', products: ['accounts', 'identity'] };
    await expect(open()).rejects.toThrow('the session has ended');
    expect(stage.released).toEqual([]);
    expect(stage.seen.contexts).toMatchObject([{ relink: { reference: 'conn_1' } }]);
    stage.relink = { reference: 'conn_0', products: ['accounts'] };
    await expect(open()).rejects.toThrow('the session has ended');
    expect(stage.released).toHaveLength(1);
  });
});
