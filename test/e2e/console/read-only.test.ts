import { mayChangeApp, mayOperate } from '../../../apps/console/src/data/may-change.js';
import { ALLOWED_CALLS } from '../../../apps/console-server/src/forwarding/allowed-calls.js';
import { OPERATIONS } from '../../../apps/console-server/src/operations/all-operations.js';
import type { SessionView } from '../../../apps/console-server/src/sign-in/session-view.js';
import type { ConsoleGrant } from '../../../prisma/operations/console/console-grant.js';
import { ConsoleSessionRepository } from '../../../prisma/operations/console/console-session.repository.js';
import {
  ConsoleBrowser,
  startConsoleInProcess,
  type ConsoleInProcess,
} from './support/console-in-process.js';

const APPS = ['pocket-ledger', 'rival'];
const grant = (role: ConsoleGrant['role'], appId: string | null, isReadOnly = false) => ({
  role,
  appId,
  isReadOnly,
});
const OPERATOR = grant('operator', null);
const OPERATOR_READS = grant('operator', null, true);
const OWN = grant('app', 'pocket-ledger');
const OWN_READS = grant('app', 'pocket-ledger', true);
const RIVAL_READS = grant('app', 'rival', true);

const PERSONS: Readonly<Record<string, readonly ConsoleGrant[]>> = {
  'an operator': [OPERATOR],
  'an operator who reads': [OPERATOR_READS],
  'an operator who reads, and changes one app': [OPERATOR_READS, OWN],
  'an operator who is named twice, once for reading': [OPERATOR_READS, OPERATOR],
  'an operator who reads one app': [OPERATOR, OWN_READS],
  'a person of one app': [OWN],
  'a person of one app who reads': [OWN_READS],
  'a person of an app who reads another one': [OWN, RIVAL_READS],
  'a person of an app that they also read': [OWN_READS, OWN],
};

interface Change {
  method: string;
  /** Below `/api`, of an app unless it concerns the instance. */
  path: (app: string) => string;
  isOfApp: boolean;
  isOfOperators: boolean;
}

const filled = (path: string, app: string): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'app' ? app : name === 'env' ? 'sandbox' : 'unknown',
  );
const split = (call: string) => call.split(' ') as [string, string];

const CHANGES: readonly Change[] = [
  ...OPERATIONS.filter(({ level }) => level !== 'read').map(({ call, roles }): Change => {
    const [method, path] = split(call);
    return {
      method,
      path: (app) => filled(path, app),
      isOfApp: path.startsWith('/apps/:app'),
      isOfOperators: !roles.includes('app'),
    };
  }),
  ...ALLOWED_CALLS.filter(({ level }) => level !== 'read').map(({ call }): Change => {
    const [method, path] = split(call);
    return {
      method,
      path: (app) => `/as/${app}/sandbox${filled(path, app)}`,
      isOfApp: true,
      isOfOperators: false,
    };
  }),
];

let console: ConsoleInProcess;
beforeAll(async () => {
  console = await startConsoleInProcess();
});
afterAll(() => console?.close());

async function browserOf(grants: readonly ConsoleGrant[]): Promise<ConsoleBrowser> {
  const sessions = new ConsoleSessionRepository(console.service.context);
  const { cookie, header } = await sessions.create('link:ada', grants);
  const browser = new ConsoleBrowser(console.url);
  browser.cookies.set(`console_${new URL(console.url).port}`, cookie);
  browser.half = header;
  return browser;
}

/** Whether the console refuses a change, whatever else is wrong with it. */
async function isRefused(browser: ConsoleBrowser, { method, path }: Change, app: string) {
  const { body } = await browser.call(method, path(app), {});
  return ['console.read_only', 'console.not_found'].includes(String(body['error_code']));
}

describe.each(Object.keys(PERSONS))('The session of %s', (person) => {
  it('shows the page which changes have a button: exactly those that are not refused', async () => {
    const browser = await browserOf(PERSONS[person] ?? []);
    const view = (await browser.get('/session')).body as unknown as SessionView;
    const apps = view.apps.map(({ app_id: id }) => id);
    expect(apps.length).toBeGreaterThan(0);
    const faults: string[] = [];
    for (const change of CHANGES)
      for (const app of change.isOfApp ? APPS.filter((each) => apps.includes(each)) : APPS) {
        const hasButton = change.isOfOperators ? mayOperate(view) : mayChangeApp(view, app);
        if (hasButton === (await isRefused(browser, change, app)))
          faults.push(`${change.method} ${change.path(app)}: button ${hasButton}`);
      }
    expect(faults).toEqual([]);
  });
});
