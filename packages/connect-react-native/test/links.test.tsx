import { act } from '@testing-library/react-native';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { addressOf, heard, say } from './support/bridge';
import { EXITED, LINKED, OTHER_STATE_ID, RETURN, STATE_HASH, STATE_ID } from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { BASE, callbacks, renderApp, startProcess, TOKEN } from './support/render-app';
import { answerQuestions, type Reply } from './support/service';
import { forgetWebViews, webView, webViews } from './support/web-view';

useNewPhones();

const returnOf = (stateId: string) => `pocketledger://bank-return?oauth_state_id=${stateId}`;
const FOREIGN = returnOf(OTHER_STATE_ID);
const openBank = (stateHash: string = STATE_HASH) =>
  say('oauth_open', {
    authorize_url: 'https://oauth-bank.example/authorize',
    redirect_uri: 'pocketledger://bank-return',
    window: 'system',
    state_hash: stateHash,
  });
const pass = (ms: number) => act(async () => jest.advanceTimersByTime(ms));

describe('A link that opens an app without a flow', () => {
  const openedBy = async (url: string, linkSessionToken?: string) => {
    const app = await renderApp();
    const heardBack = callbacks();
    const token = linkSessionToken === undefined ? {} : { linkSessionToken };
    await app.use((connect) => connect.continueFlow({ url, ...token, ...heardBack }));
    return { ...app, ...heardBack };
  };

  it('is asked for at the service, with the token that the app gives', async () => {
    const questions = answerQuestions();
    await openedBy(RETURN, TOKEN);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      address: `${BASE}/api/session/resumable`,
      init: {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        credentials: 'omit',
      },
      asked: { url: RETURN, link_session_token: TOKEN },
    });
    expect(addressOf(webView())).toContain('/continue#');
  });

  it.each<[string, Reply]>([
    ['that the service denies', false],
    ['for which the service has no answer', { status: 200, body: {} }],
    ['for which the service answers with something else than JSON', { status: 200 }],
    ['whose question the service refuses', { status: 404, body: { resumable: true } }],
    ['whose answer is empty', { status: 200, body: null }],
  ])('%s covers nothing and calls nothing', async (_, reply) => {
    answerQuestions(() => reply);
    const { connect, onExit, onError } = await openedBy(RETURN);
    await pass(60_000);
    expect(webViews).toHaveLength(0);
    expect(connect().status).toBe('idle');
    expect(onExit).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });

  it.each<Reply>([
    'unreachable',
    { status: 429, body: { resumable: true } },
    { status: 500, body: { resumable: true } },
    { status: 503, body: { resumable: true } },
  ])(
    'is asked for again while the answer is %j, and continues with the first one',
    async (none) => {
      let reply = none;
      const questions = answerQuestions(() => reply);
      await openedBy(RETURN);
      await pass(1_000);
      await pass(2_000);
      expect(questions).toHaveLength(3);
      expect(webViews).toHaveLength(0);
      reply = true;
      await pass(3_999);
      expect(questions).toHaveLength(3);
      await pass(1);
      expect(addressOf(webView())).toContain('/continue#');
    },
  );

  it('is asked for again when an attempt takes 10 seconds', async () => {
    let reply: Reply = 'silent';
    const questions = answerQuestions(() => reply);
    await openedBy(RETURN);
    await pass(10_999);
    expect(questions).toHaveLength(1);
    reply = true;
    await pass(1_000);
    await pass(1_000);
    expect(questions).toHaveLength(2);
    expect(webViews).toHaveLength(1);
  });

  it('covers nothing when no one answers for half a minute, and is then forgotten', async () => {
    const questions = answerQuestions(() => 'unreachable');
    await openedBy(RETURN);
    for (const pause of [1, 2, 4, 8, 15]) await pass(pause * 1_000);
    expect(questions).toHaveLength(6);
    await pass(600_000);
    expect(questions).toHaveLength(6);
    expect(webViews).toHaveLength(0);
  });

  it('leaves no time limit behind once it is answered', async () => {
    await openedBy(FOREIGN);
    await say('hello');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no longer asked for once the app has removed Connect, whatever the answer would be', async () => {
    let reply: Reply = 'unreachable';
    const questions = answerQuestions(() => reply);
    const app = await openedBy(RETURN);
    await app.renderAgain({ baseUrl: 'https://other.example/connect' });
    await act(async () => undefined);
    reply = true;
    await pass(60_000);
    // A flow that had started in spite of it would fail for the silence of its page.
    await pass(60_000);
    expect(questions).toHaveLength(1);
    expect(webViews).toHaveLength(0);
    expect(app.onError).not.toHaveBeenCalled();
  });

  it('starts nothing when the service confirms it after the app has removed Connect', async () => {
    let confirm: (reply: Reply) => void = () => undefined;
    answerQuestions(() => new Promise((done) => (confirm = done)));
    const app = await openedBy(RETURN);
    await app.renderAgain({ baseUrl: 'https://other.example/connect' });
    await act(async () => confirm(true));
    await pass(60_000);
    expect(webViews).toHaveLength(0);
    expect(app.onError).not.toHaveBeenCalled();
  });

  it('leaves the kept token for the right one', async () => {
    const app = await openFlow();
    await app.unmount();
    await act(async () => undefined);
    answerQuestions(({ asked }) => asked.url === RETURN && asked.link_session_token === TOKEN);
    const later = await renderApp();
    await later.use((connect) => connect.continueFlow({ url: FOREIGN, ...callbacks() }));
    await later.use((connect) => connect.continueFlow({ url: RETURN, ...callbacks() }));
    await say('hello');
    expect(heard()[0]?.payload).toMatchObject({ link_session_token: TOKEN, continue_url: RETURN });
  });

  it('opens one flow when it is delivered twice before the answer', async () => {
    const app = await renderApp();
    const [first, second] = [callbacks(), callbacks()];
    await app.use((connect) => {
      connect.continueFlow({ url: RETURN, ...first });
      connect.continueFlow({ url: RETURN, ...second });
    });
    expect(webViews).toHaveLength(1);
    await say('hello');
    await say('success', LINKED);
    expect(first.onSuccess).toHaveBeenCalledTimes(1);
    expect(second.onSuccess).not.toHaveBeenCalled();
  });

  it('opens nothing for its second delivery when that is answered after the flow has ended', async () => {
    const confirm: ((reply: Reply) => void)[] = [];
    answerQuestions(() => new Promise((done) => confirm.push(done)));
    const app = await renderApp();
    const [first, second] = [callbacks(), callbacks()];
    await app.use((connect) => {
      connect.continueFlow({ url: RETURN, ...first });
      connect.continueFlow({ url: RETURN, ...second });
    });
    await act(async () => confirm[0]?.(true));
    await say('hello');
    await say('success', LINKED);
    await act(async () => confirm[1]?.(true));
    expect(webViews).toHaveLength(1);
    expect(app.connect().status).toBe('success');
    expect(second.onExit).not.toHaveBeenCalled();
  });

  it('does not disturb a flow that the app opens before the answer', async () => {
    const questions = answerQuestions(({ asked }) => asked.link_session_token === null);
    const app = await renderApp();
    await app.use((connect) => {
      connect.continueFlow({ url: FOREIGN, ...callbacks() });
      connect.presentLinkFlow({ linkSessionToken: TOKEN, ...callbacks() });
    });
    await say('hello');
    expect(questions.map(({ asked }) => asked.link_session_token)).toEqual([null, TOKEN]);
    expect(heard().map(({ type }) => type)).toEqual(['init']);
    expect(webViews).toHaveLength(1);
  });
});

describe('A link while a flow is open', () => {
  it('that is foreign leaves the page and the login at the bank alone, and the own one still counts', async () => {
    const questions = answerQuestions(() => false);
    const close = jest.fn();
    const app = await openFlow({ openAuthSession: () => new Promise(close) });
    await openBank();
    await app.use((connect) => connect.continueFlow({ url: FOREIGN, ...callbacks() }));
    await pass(9_000);
    expect(questions.map(({ asked }) => asked)).toEqual([
      { url: FOREIGN, link_session_token: TOKEN },
    ]);
    expect(heard().map(({ type }) => type)).toEqual(['init']);
    expect(webViews).toHaveLength(1);
    await app.use((connect) => connect.continueFlow({ url: RETURN, ...callbacks() }));
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { url: RETURN } });
    expect(questions).toHaveLength(1);
  });

  it('goes to the page at once when it is the own one, without a network', async () => {
    answerQuestions(() => 'unreachable');
    const app = await openFlow({ openAuthSession: async () => ({ outcome: 'dismissed' }) });
    await openBank();
    await app.use((connect) => connect.continueFlow({ url: RETURN, ...callbacks() }));
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { url: RETURN } });
  });

  it('goes to the page once the service has confirmed it', async () => {
    const app = await openFlow();
    await app.use((connect) => connect.continueFlow({ url: RETURN, ...callbacks() }));
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { url: RETURN } });
    expect(webViews).toHaveLength(1);
  });

  it('opens nothing when the flow is closed before the answer', async () => {
    let reply: Reply = 'unreachable';
    answerQuestions(() => reply);
    const app = await openFlow();
    const late = callbacks();
    await app.use((connect) => connect.continueFlow({ url: RETURN, ...late }));
    await say('exit', EXITED);
    reply = true;
    await pass(60_000);
    expect(webViews.filter(({ mounted }) => mounted)).toHaveLength(0);
    expect(app.connect().status).toBe('exited');
  });

  it('never brings back a login that its session reports with a foreign address', async () => {
    await openFlow({ openAuthSession: async () => ({ outcome: 'returned', url: FOREIGN }) });
    await openBank();
    await act(async () => undefined);
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { cancelled: true } });
  });
});

/**
 * The service of the series: the state of the open flow's bank can be continued with its token, that of another session
 * only without one, used and unknown ones never.
 */
const OWN = STATE_ID;
const ANOTHER = OTHER_STATE_ID;
const USED = '11111111-1111-4111-8111-111111111111';
const UNKNOWN = '22222222-2222-4222-8222-222222222222';

type Move =
  | { do: 'link'; state: string }
  | { do: 'present' | 'bank' | 'hello' | 'remove' | 'exit' | 'success' | 'offline' | 'online' }
  | { do: 'pass'; ms: number };

const move = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      state: fc.constantFrom(OWN, ANOTHER, USED, UNKNOWN),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom(
        'present' as const,
        'bank' as const,
        'hello' as const,
        'remove' as const,
        'exit' as const,
        'success' as const,
        'offline' as const,
        'online' as const,
      ),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(500, 2_500, 20_000),
    }),
    weight: 2,
  },
);

describe('Links of any kind in any order', () => {
  it('never show Connect for a used or unknown state, and never replace the page of a flow by a foreign one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 16 }), async (moves) => {
        forgetWebViews();
        startProcess();
        let isOnline = true;
        answerQuestions(({ asked: { url, link_session_token: token } }) => {
          if (!isOnline) return 'unreachable';
          if (url === returnOf(OWN)) return token === TOKEN;
          return url === returnOf(ANOTHER) && token === null;
        });
        const app = await renderApp({ openAuthSession: async () => ({ outcome: 'dismissed' }) });
        const isShown = () => webViews.some(({ mounted }) => mounted);
        const whileShown = (act: () => Promise<void>) => (isShown() ? act() : Promise.resolve());
        const steps: Record<string, () => Promise<unknown>> = {
          present: () =>
            app.use((connect) =>
              connect.presentLinkFlow({ linkSessionToken: TOKEN, ...callbacks() }),
            ),
          hello: () => whileShown(() => say('hello')),
          bank: () =>
            whileShown(() => openBank(createHash('sha256').update(OWN).digest('base64url'))),
          exit: () => whileShown(() => say('exit', EXITED)),
          success: () => whileShown(() => say('success', LINKED)),
          remove: () => app.use((connect) => connect.exit({ force: true })),
          offline: async () => {
            isOnline = false;
          },
          online: async () => {
            isOnline = true;
          },
        };
        jest.spyOn(console, 'warn').mockImplementation(() => undefined);
        const delivered = new Set<string>();
        for (const each of moves) {
          if (each.do === 'link') delivered.add(each.state);
          const before = isShown() ? webView() : undefined;
          if (each.do === 'pass') await pass(each.ms);
          else if (each.do === 'link')
            await app.use((connect) =>
              connect.continueFlow({ url: returnOf(each.state), ...callbacks() }),
            );
          else await steps[each.do]?.();
          // A foreign link changes nothing that is shown.
          if (each.do === 'link' && each.state !== OWN && before !== undefined)
            expect(webView()).toBe(before);
          if (webViews.some(({ loaded }) => loaded.includes('/continue')))
            expect(delivered.has(OWN) || delivered.has(ANOTHER)).toBe(true);
          const addresses = webViews.flatMap((view) =>
            heard(view).map(({ payload }) =>
              String(payload['continue_url'] ?? payload['url'] ?? ''),
            ),
          );
          for (const state of [USED, UNKNOWN]) expect(addresses).not.toContain(returnOf(state));
        }
        await app.unmount();
        await act(async () => undefined);
        jest.clearAllTimers();
      }),
      { numRuns: 60 },
    );
  });
});
