import { Linking } from 'react-native';
import { say } from './bridge';
import { callbacks, renderApp, startProcess, TOKEN } from './render-app';
import { answerQuestions } from './service';
import { forgetWebViews } from './web-view';

/** Each test has a phone of its own, on which time passes only when the test advances it. */
export function useNewPhones(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    jest.clearAllMocks();
    forgetWebViews();
    startProcess();
    jest.spyOn(Linking, 'openURL').mockResolvedValue(true);
    answerQuestions();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}

/** An app with an open flow, while the hosted app is available. */
export async function openFlow(options: Parameters<typeof renderApp>[0] = {}) {
  const app = await renderApp(options);
  const heardBack = callbacks();
  await app.use((connect) => connect.presentLinkFlow({ linkSessionToken: TOKEN, ...heardBack }));
  await say('hello', { app_version: '1' });
  return { ...app, ...heardBack };
}
