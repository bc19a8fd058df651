import { withinPatience } from '../../../activities/linking/within-patience.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';

/** A call that responds when its test wants, and rejects with the reason of its end as adapters do. */
function pending() {
  const calls: AbortSignal[] = [];
  let respond: (text: string) => void = () => undefined;
  const response = new Promise<string>((resolve) => {
    respond = resolve;
  });
  const call = (signal: AbortSignal): Promise<string> => {
    calls.push(signal);
    const ended = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    return Promise.race([response, ended]);
  };
  return { call, respond: (text: string) => respond(text), signal: () => calls[0] };
}

describe('The first call of a login', () => {
  beforeEach(() => void jest.useFakeTimers());

  it('fails as a timeout of the bank, whose connection is closed, when the bank is silent for longer than its patience', async () => {
    const { call, signal } = pending();
    const outcome = withinPatience(12_000, new AbortController().signal, call);
    const failed = expect(outcome).rejects.toMatchObject({ providerCause: 'institution_timeout' });
    jest.advanceTimersByTime(11_999);
    expect(signal()?.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal()?.aborted).toBe(true);
    await failed;
  });

  it('has no limit without a patience', async () => {
    const { call, respond } = pending();
    const outcome = withinPatience(undefined, new AbortController().signal, call);
    jest.advanceTimersByTime(3_600_000);
    respond('late');
    expect(await outcome).toBe('late');
  });

  it('returns a response in time, and does not end its connection later', async () => {
    const { call, respond, signal } = pending();
    const outcome = withinPatience(12_000, new AbortController().signal, call);
    jest.advanceTimersByTime(11_999);
    respond('in time');
    expect(await outcome).toBe('in time');
    jest.advanceTimersByTime(60_000);
    expect(signal()?.aborted).toBe(false);
  });

  it('ends with the reason of its caller when that ends it first', async () => {
    const { call } = pending();
    const caller = new AbortController();
    const outcome = withinPatience(12_000, caller.signal, call);
    const reason = new Error('the user left');
    const failed = expect(outcome).rejects.toBe(reason);
    caller.abort(reason);
    await failed;
  });

  it('passes the failure of the bank on', async () => {
    const failure = new ProviderFailure('provider_down', 'away');
    await expect(
      withinPatience(12_000, new AbortController().signal, () => Promise.reject(failure)),
    ).rejects.toBe(failure);
  });
});
