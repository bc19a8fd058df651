import { createRevocationActivities } from '../../../activities/deletion/deletion-activities.js';
import {
  PROVIDER_CAUSES,
  ProviderFailure,
  type ProviderCause,
} from '../../../domain/errors/provider-failure.js';
import type { RevocableAccess } from '../../../prisma/sources/permissions/revocation.repository.js';
import type { Provider } from '../../../providers/contract/provider.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';

describe('revokePermission', () => {
  let access: RevocableAccess | null;
  let revoke: Provider['revoke'];
  let asked: { remoteId: string; credential: string }[];
  let settled: string[];
  let kept: string[];
  let recorded: unknown[];

  const { revokePermission } = createRevocationActivities({
    revocations: {
      beginAttempt: async () => access,
      keepRenewed: async (revocationId, credential) => {
        kept.push(`${revocationId} ${Buffer.from(credential).toString()}`);
      },
      settle: async (revocationId) => {
        settled.push(revocationId);
      },
      giveUp: async (...given) => {
        recorded.push(given);
      },
    },
    providers: { get: () => ({ revoke }) as Provider },
  });
  const run = (): Promise<unknown> =>
    quietEnvironment().run(revokePermission, { revocationId: 'rev-1' });
  const refusing = (cause: ProviderCause) => async () => {
    throw new ProviderFailure(cause, 'no');
  };

  beforeEach(() => {
    access = {
      provider: 'fake',
      remoteId: 'remote',
      reference: 'conn_1',
      credential: Buffer.from('canary'),
    };
    asked = [];
    settled = [];
    kept = [];
    recorded = [];
    revoke = async ({ remoteId, credential }) => {
      asked.push({ remoteId, credential: Buffer.from(credential).toString() });
      return 'revoked';
    };
  });

  it('revokes the permission at the bank and erases the credential afterwards', async () => {
    expect(await run()).toEqual({ kind: 'revoked' });
    expect({ asked, settled }).toEqual({
      asked: [{ remoteId: 'remote', credential: 'canary' }],
      settled: ['rev-1'],
    });
  });

  it('keeps a credential that the bank renewed before it revoked the permission', async () => {
    revoke = async ({ renewCredential }) => {
      await renewCredential(() => Promise.resolve(Buffer.from('renewed')));
      throw new ProviderFailure('institution_down', 'no');
    };
    await expect(run()).rejects.toMatchObject({ providerCause: 'institution_down' });
    expect({ kept, settled }).toEqual({ kept: ['rev-1 renewed'], settled: [] });
  });

  it('calls no bank when nothing remains to be revoked', async () => {
    access = null;
    expect(await run()).toEqual({ kind: 'nothing_to_revoke' });
    expect({ asked, settled }).toEqual({ asked: [], settled: [] });
  });

  it.each([
    ['a provider without revocation', undefined],
    ['a bank without revocation', () => Promise.resolve('not_offered' as const)],
  ])('records a permission of %s as one that stays valid there', async (_what, offered) => {
    revoke = offered;
    expect(await run()).toEqual({ kind: 'nothing_to_revoke' });
    expect({ settled, recorded }).toEqual({ settled: [], recorded: [['rev-1', 'not_offered']] });
  });

  it('keeps the credential while the institution is not offered, which an operator can fix', async () => {
    access = {
      provider: 'fake',
      remoteId: null,
      reference: 'conn_1',
      credential: Buffer.from('canary'),
    };
    await expect(run()).rejects.toMatchObject({ providerCause: 'internal' });
    expect({ asked, settled }).toEqual({ asked: [], settled: [] });
  });

  it.each(PROVIDER_CAUSES)('classifies the refusal %s', async (cause) => {
    revoke = refusing(cause);
    const isGone = [
      'invalid_credentials',
      'mfa_failed',
      'account_locked',
      'user_action_required',
      'user_denied',
      'incomplete',
      'consent_expired',
    ].includes(cause);
    if (isGone) await expect(run()).resolves.toEqual({ kind: 'revoked' });
    else await expect(run()).rejects.toMatchObject({ providerCause: cause });
    expect(settled).toEqual(isGone ? ['rev-1'] : []);
  });
});
