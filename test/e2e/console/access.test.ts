import { admit, type AccessRequest } from '../../../apps/console-server/src/access/access.js';
import { ConsoleFailure } from '../../../apps/console-server/src/access/console-failure.js';
import { ALLOWED_CALLS } from '../../../apps/console-server/src/forwarding/allowed-calls.js';
import { OPERATIONS } from '../../../apps/console-server/src/operations/all-operations.js';
import type { ConsoleGrant } from '../../../prisma/operations/console/console-grant.js';
import {
  ConsoleBrowser,
  startConsoleInProcess,
  type ConsoleInProcess,
} from './support/console-in-process.js';

const OWN = 'pocket-ledger';
const PERSONS: Readonly<Record<string, ConsoleGrant>> = {
  operator: { role: 'operator', appId: null, isReadOnly: false },
  'operator who reads': { role: 'operator', appId: null, isReadOnly: true },
  'person of the app': { role: 'app', appId: OWN, isReadOnly: false },
  'person of the app who reads': { role: 'app', appId: OWN, isReadOnly: true },
  'person of another app': { role: 'app', appId: 'rival', isReadOnly: false },
};

interface Call {
  method: string;
  /** Below `/api`. */
  path: string;
  isOfApp: boolean;
  roles: readonly string[];
  level: string;
}

const filled = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'app' ? OWN : name === 'env' ? 'sandbox' : 'unknown',
  );
const split = (call: string) => call.split(' ') as [string, string];

const CALLS: readonly Call[] = [
  ...OPERATIONS.map(({ call, roles, level }): Call => {
    const [method, path] = split(call);
    return { method, path: filled(path), isOfApp: path.startsWith('/apps/:app'), roles, level };
  }),
  ...ALLOWED_CALLS.map(({ call, level }): Call => {
    const [method, path] = split(call);
    return {
      method,
      path: `/as/${OWN}/sandbox${filled(path)}`,
      isOfApp: true,
      roles: ['operator', 'app'],
      level,
    };
  }),
];

/** The table of roles and calls, in words of its own. */
function expected(
  person: string,
  { isOfApp, roles, level }: Call,
): 'allowed' | 'hidden' | 'refused' {
  const role = person.startsWith('operator') ? 'operator' : 'app';
  if (!roles.includes(role)) return 'hidden';
  if (person === 'person of another app' && isOfApp) return 'hidden';
  return person.endsWith('who reads') && level !== 'read' ? 'refused' : 'allowed';
}

let console: ConsoleInProcess;
const browsers = new Map<string, ConsoleBrowser>();
beforeAll(async () => {
  console = await startConsoleInProcess();
  for (const [person, grant] of Object.entries(PERSONS))
    browsers.set(person, await ConsoleBrowser.signedIn(console, grant));
});
afterAll(() => console?.close());

describe.each(CALLS)('The call $method $path of the console', (call) => {
  const { method, path } = call;
  const body = method === 'GET' ? undefined : {};

  it.each(Object.keys(PERSONS))('is open to a(n) %s as the table of roles says', async (person) => {
    const { status, body: answer } = await (browsers.get(person) as ConsoleBrowser).call(
      method,
      path,
      body,
    );
    const outcome =
      status === 404 && answer['error_code'] === 'console.not_found'
        ? 'hidden'
        : status === 403
          ? 'refused'
          : 'allowed';
    expect(`${outcome} (${status})`).toMatch(expected(person, call));
  });

  it('is closed without a session', async () => {
    expect((await new ConsoleBrowser(console.url).call(method, path, body)).status).toBe(401);
  });
});

describe('The rule of recent sign-ins in the console', () => {
  const signedInAt = new Date('2026-03-02T10:00:00Z');
  const request = (more: Partial<AccessRequest>): AccessRequest => ({
    roles: ['operator', 'app'],
    level: 'destroy',
    appId: OWN,
    isSandbox: false,
    ...more,
  });
  const tried = (more: Partial<AccessRequest>, minutes: number): string => {
    try {
      const session = {
        sessionId: 's',
        actor: 'link:ada',
        grants: [PERSONS['operator'] as ConsoleGrant],
        signedInAt,
        endsAt: new Date('2026-03-02T22:00:00Z'),
      };
      admit(session, request(more), new Date(signedInAt.getTime() + minutes * 60_000));
      return 'allowed';
    } catch (error) {
      return (error as ConsoleFailure).code;
    }
  };

  it.each([
    [{ level: 'destroy' }, 10, 'allowed'],
    [{ level: 'destroy' }, 10.1, 'console.recent_sign_in_needed'],
    [{ level: 'reveal' }, 10.1, 'console.recent_sign_in_needed'],
    [{ level: 'reveal', isSandbox: true }, 600, 'allowed'],
    [{ level: 'destroy', isSandbox: true }, 600, 'allowed'],
    [{ level: 'destroy', appId: null }, 10.1, 'console.recent_sign_in_needed'],
    [{ level: 'change' }, 600, 'allowed'],
    [{ level: 'read' }, 600, 'allowed'],
  ] as const)('lets %j pass after %d minutes: %s', (more, minutes, outcome) => {
    expect(tried(more, minutes)).toBe(outcome);
  });
});
