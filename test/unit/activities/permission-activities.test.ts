import { createPermissionActivities } from '../../../activities/sandbox/permission-activities.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type {
  Provider,
  ProviderAccess,
  SandboxControls,
} from '../../../providers/contract/provider.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import { GENEROUS_FACTS, KEYS_WORK } from '../../support/fixtures/provider-calls.js';

const notAskedHere = () => Promise.reject(new Error('not asked here'));

/** A sandbox provider that supports only the calls that a test adds. */
const NO_SANDBOX_CONTROLS: SandboxControls = {
  expirePermission: notAskedHere,
  logIn: notAskedHere,
  runScript: notAskedHere,
  runHoldingsScript: notAskedHere,
  runLiabilitiesScript: notAskedHere,
  createFault: notAskedHere,
  listFaults: notAskedHere,
  worldOfFault: notAskedHere,
  liftFault: notAskedHere,
  forgetWorld: notAskedHere,
};

const PERMISSION = { linkId: 'mk_1', provider: 'fake', dueAt: '2026-03-02T10:00:00.000Z' };
const ACCESS = { credential: Buffer.from('canary'), reference: 'conn_1', remoteId: 'remote' };

describe('endPermission', () => {
  let access: typeof ACCESS | null;
  let announced: ProviderAccess[];
  let settled: string[];
  let sandbox: Provider['sandbox'];
  const provider = (): Provider => ({
    name: 'fake',
    adapter: 'fake',
    check: () => Promise.resolve(KEYS_WORK),
    facts: GENEROUS_FACTS,
    institutions: () => [],
    begin: () => Promise.reject(new Error('not asked here')),
    fetchAccounts: async () => ({ accounts: [], unreported: [] }),
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  const activities = createPermissionActivities({
    permissions: {
      access: async () => access,
      settle: async ({ dueAt }) => {
        settled.push(dueAt);
      },
    },
    providers: { get: provider },
  });
  const end = () => quietEnvironment().run(activities.endPermission, PERMISSION);

  beforeEach(() => {
    access = ACCESS;
    announced = [];
    settled = [];
    sandbox = {
      ...NO_SANDBOX_CONTROLS,
      expirePermission: async (given) => {
        announced.push(given);
      },
    };
  });

  it('ends the permission at the bank and then settles the row', async () => {
    await end();
    expect(announced).toMatchObject([ACCESS]);
    expect(settled).toEqual([PERMISSION.dueAt]);
  });

  it('keeps the row open when the bank could not be reached', async () => {
    sandbox = {
      ...NO_SANDBOX_CONTROLS,
      expirePermission: () => Promise.reject(new ProviderFailure('institution_down', 'away')),
    };
    await expect(end()).rejects.toMatchObject({ providerCause: 'institution_down' });
    expect(settled).toEqual([]);
  });

  it('calls no bank for a permission that was replaced', async () => {
    access = null;
    await end();
    expect(announced).toEqual([]);
  });

  it('calls no bank that is not a sandbox bank', async () => {
    sandbox = undefined;
    await end();
    expect(settled).toEqual([PERMISSION.dueAt]);
  });

  it('can be abandoned', async () => {
    await quietEnvironment().run(activities.forgetEndOfPermission, PERMISSION);
    expect({ announced, settled }).toEqual({ announced: [], settled: [PERMISSION.dueAt] });
  });
});
