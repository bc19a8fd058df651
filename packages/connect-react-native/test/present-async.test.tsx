import { act } from '@testing-library/react-native';
import { say } from './support/bridge';
import { EXITED, LINKED } from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { renderApp, TOKEN } from './support/render-app';
import { webViews } from './support/web-view';

useNewPhones();

/** An app that waits for the end of its flow, while the hosted app is available. */
async function awaitFlow() {
  const app = await renderApp();
  const ended = jest.fn();
  await app.use((connect) => {
    void connect.presentLinkFlowAsync({ linkSessionToken: TOKEN }).then(ended);
  });
  await say('hello', { app_version: '1' });
  expect(ended).not.toHaveBeenCalled();
  return { ...app, ended };
}

describe('A link flow as a promise', () => {
  it.each([
    ['success', LINKED, { outcome: 'success', success: LINKED }],
    ['exit', EXITED, { outcome: 'exit', exit: EXITED }],
  ])('resolves to the %s of its end', async (type, payload, outcome) => {
    const { ended } = await awaitFlow();
    await say(type, payload);
    expect(ended.mock.calls).toEqual([[outcome]]);
  });

  it('lets the app wait for one flow after another', async () => {
    const app = await renderApp();
    const ended = jest.fn();
    await app.use((connect) => {
      const twice = async () => {
        const first = await connect.presentLinkFlowAsync({ linkSessionToken: TOKEN });
        const second = await connect.presentLinkFlowAsync({ linkSessionToken: 'lst_2' });
        ended(first.outcome, second.outcome);
      };
      void twice();
    });
    await say('hello', { app_version: '1' });
    await say('exit', EXITED);
    expect(webViews).toHaveLength(2);
    await say('hello', { app_version: '1' });
    await say('success', LINKED);
    expect(ended.mock.calls).toEqual([['exit', 'success']]);
  });

  it('resolves to a programmatic exit when the app removes the flow', async () => {
    const { ended, unmount } = await awaitFlow();
    await unmount();
    await act(async () => undefined);
    expect(ended.mock.calls).toEqual([
      [
        {
          outcome: 'exit',
          exit: {
            reason: 'programmatic',
            error: null,
            session_id: null,
            institution: null,
            search_term: null,
          },
        },
      ],
    ]);
  });

  it('is rejected while another flow is open, and for an invalid token', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { connect, onExit } = await openFlow();
    for (const linkSessionToken of [TOKEN, 'not a token!'])
      await expect(connect().presentLinkFlowAsync({ linkSessionToken })).rejects.toMatchObject({
        name: 'ConnectConfigurationError',
      });
    expect(webViews).toHaveLength(1);
    expect(onExit).not.toHaveBeenCalled();
  });
});
