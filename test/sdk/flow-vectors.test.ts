import {
  decideAuthWay,
  type AuthRequest,
} from '../../packages/connect-react-native/src/flow-rules/auth-way.js';
import {
  decideNavigation,
  type Navigation,
} from '../../packages/connect-react-native/src/flow-rules/navigation.js';
import {
  NOTHING_REPORTED,
  reportOf,
  type Happening,
} from '../../packages/connect-react-native/src/flow-rules/report.js';
import type { ConnectError, ConnectExit } from '../../packages/connect-js/src/core.js';
import type { FlowSetup } from '../../packages/connect-react-native/src/flow-machine.js';
import { runTrace, type TraceStep } from './support/flow-traces.js';
import { readCases, vectorFiles } from './support/vectors.js';

interface Series {
  at: string;
  steps: { type: Happening['type']; payload: object }[];
}

const FLOWS = vectorFiles().filter((file) => file.startsWith('flows/'));

describe('The place where an SDK around a WebView opens an address', () => {
  type Given = { base: string; address: string } & Record<string, boolean>;
  it.each(readCases<Given, string>('navigation'))('$name', ({ given, then }) => {
    const place: Navigation = {
      address: given.address,
      mainFrame: given['main_frame'] === true,
      byUser: given['by_user'] === true,
      newWindow: given['new_window'] === true,
    };
    expect(decideNavigation(given.base, place)).toBe(then);
  });
});

describe('The way in which an SDK around a WebView opens a bank', () => {
  it.each(readCases<Record<string, never>, object>('auth-ways'))('$name', ({ given, then }) => {
    const request: AuthRequest = {
      authorizeUrl: given['authorize_url'],
      redirectUri: given['redirect_uri'],
      platform: given['platform'] as never,
      systemVersion: given['system_version'] as never,
    };
    expect(decideAuthWay(request)).toEqual(then);
  });
});

describe('The callbacks of an SDK around a WebView', () => {
  it.each(readCases<Series, unknown>('callbacks'))('$name', ({ given, then }) => {
    let report = NOTHING_REPORTED;
    const called: unknown[] = [];
    for (const { type, payload } of given.steps) {
      const happening = (
        type === 'ready' || type === 'end' ? { type, ...payload } : { type, [type]: payload }
      ) as Happening;
      const [next, calls] = reportOf(report, happening, Date.parse(`${given.at}Z`));
      report = next;
      called.push(...calls.map(({ callback, payload: argument }) => [callback, argument]));
    }
    expect(called).toEqual(then);
  });
});

describe('An error that a WebView reports before the exit that it causes', () => {
  it('is the same object in both callbacks, for programs that compare by identity', () => {
    const error = { error_id: 'connect_error.timeout', displayed_message: '' } as ConnectError;
    const [reported] = reportOf(NOTHING_REPORTED, { type: 'error', error }, 0);
    const ended = { reason: 'error', error: { ...error } } as ConnectExit;
    const [, calls] = reportOf(reported, { type: 'exit', exit: ended }, 0);
    const exit = calls.at(-1)?.payload as ConnectExit | undefined;
    expect(exit?.error).toBe(error);
  });
});

describe.each(FLOWS)('An SDK around a WebView, %s', (file) => {
  it.each(readCases<FlowSetup, TraceStep[]>(file))('$name', ({ given, then }) => {
    const traced = runTrace(
      given,
      then.map(({ input }) => input),
    );
    expect(traced).toEqual(then);
  });
});
