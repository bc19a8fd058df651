import {
  checkToken,
  ConnectConfigurationError,
  frameUnavailable,
  parseOrigin,
  phoneInit,
  loadingTexts,
  popupBlocked,
  readBaseAddress,
  readConnectError,
  readConnectEvent,
  readConnectExit,
  readConnectSuccess,
  readMessageText,
  readSession,
  readStateId,
  stateHash,
  createReporter,
  type ConnectExit,
  type PhoneInit,
} from '../../packages/connect-js/src/core.js';
import { readBaseUrl } from '../../packages/connect-js/src/page-configuration.js';
import { readCases, vectorFiles, type Case } from './support/vectors.js';

interface Series {
  at: string;
  steps: {
    type: 'ready' | 'event' | 'error' | 'success' | 'exit' | 'end';
    payload: object;
  }[];
}
type Run = (given: never, then: unknown) => void;

const READERS = {
  success: readConnectSuccess,
  exit: readConnectExit,
  error: readConnectError,
  event: readConnectEvent,
  ready: readSession,
};

/** The part of connect-js that each file of cases tests. */
const RUNNERS: Record<string, Run> = {
  tokens(given: unknown, then) {
    expect(outcome(() => checkToken(given)) !== null).toBe(then);
  },
  'base-urls'(given: unknown, then) {
    expect(outcome(() => readBaseAddress(given))).toBe(then);
    // On a page the URL of the browser decides, which accepts more.
    if (typeof then === 'string')
      expect(readBaseUrl(given).href.replace(/\/$/, '')).toBe(then.replace(':443', ''));
  },
  origins(given: string, then) {
    expect(parseOrigin(given) ?? null).toEqual(then);
    // A browser reads every accepted address in the same way.
    if (then !== null) expect(new URL(given).origin).toBe(written(then as Written));
  },
  'return-addresses'(given: unknown, then) {
    expect(readStateId(given) ?? null).toBe(then);
  },
  'state-hashes'(given: string, then) {
    expect(stateHash(given)).toBe(then);
  },
  envelopes({ text, channel }: { text: string; channel: string }, then) {
    expect(readMessageText(text, channel) ?? null).toEqual(then);
  },
  init(given: Record<string, unknown>, then) {
    expect(canonical(phoneInit(phoneOptions(given)))).toBe(then);
  },
  payloads(given: { type: keyof typeof READERS; payload: Record<string, unknown> }, then) {
    const value = READERS[given.type](given.payload);
    if (then === null) expect(value).toBeUndefined();
    else expect(value).toMatchObject(then as object);
  },
  texts(given: string, then) {
    const { tryAgain: try_again, ...texts } = loadingTexts(given);
    expect({
      ...texts,
      try_again,
      frame_unavailable: frameUnavailable(given).displayed_message,
      popup_blocked: popupBlocked(given).displayed_message,
    }).toEqual(then);
  },
  callbacks({ at, steps }: Series, then) {
    jest.useFakeTimers({ now: Date.parse(`${at}Z`) });
    const called: unknown[] = [];
    const record = (name: string) => (argument?: unknown) => called.push([name, argument ?? null]);
    const names = ['onReady', 'onEvent', 'onError', 'onSuccess', 'onExit'];
    const callbacks = Object.fromEntries(names.map((name) => [name, record(name)]));
    const reporter = createReporter(() => callbacks);
    for (const { type, payload } of steps)
      if (type === 'end') {
        const { reason, error } = payload as Pick<ConnectExit, 'reason' | 'error'>;
        reporter.end(reason, error ?? undefined);
      } else reporter[type](payload as never);
    jest.useRealTimers();
    expect(called).toEqual(then);
  },
};
/** Files of decisions that exist only in SDKs around a WebView. */
const OF_PHONES = /^(navigation|auth-ways|flows\/.*)$/;

describe('The cases of every SDK', () => {
  it('are all run', () => {
    const known = vectorFiles().filter((file) => !OF_PHONES.test(file));
    expect(known).toEqual(Object.keys(RUNNERS).sort());
  });

  it('have names of their own', () => {
    for (const file of vectorFiles()) {
      const names = readCases(file).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe.each(Object.keys(RUNNERS))('connect-js with the cases of %s', (file) => {
  const cases: Case<never>[] = readCases(file);

  it.each(cases)('$name', ({ given, then }) => RUNNERS[file]?.(given, then));
});

/** @returns null when it is refused, with a message that does not quote a token */
function outcome<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConnectConfigurationError);
    expect((error as Error).message).not.toMatch(/sandbox_ls|header\.payload|12345/);
    return null;
  }
}

interface Written {
  scheme: string;
  host: string;
  port: number;
}

function written({ scheme, host, port }: Written): string {
  return new URL(`${scheme}://${host}:${port}`).origin;
}

function phoneOptions(given: Record<string, unknown>): PhoneInit {
  const camel = (name: string) =>
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const named = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(named.map(([name, value]) => [camel(name), value])) as never;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
