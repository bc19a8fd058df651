import { act } from '@testing-library/react-native';
import { I18nManager, Linking } from 'react-native';
import { ConnectView, useOAuthReturn, type ContinueOptions } from '../src/index.js';
import { heard, say } from './support/bridge';
import { BANK_DOWN, EXITED, LINKED, RETURN } from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { callbacks, renderApp, TOKEN, type Callbacks } from './support/render-app';

useNewPhones();

const READY = { session_id: 's1', mode: 'link' };
const CHANGED = { name: 'change_screen', properties: {}, meta: { link_type: 'link' } };

/** The page of a flow reports every callback, and ends with the last one. */
async function reportAll(end: 'success' | 'exit'): Promise<void> {
  await say('hello', { app_version: '1' });
  await say('ready', READY);
  await say('event', CHANGED);
  await say('error', BANK_DOWN);
  await say(end, end === 'success' ? LINKED : EXITED);
}

function expectAll(app: Callbacks, end: 'success' | 'exit'): void {
  expect(app.onReady.mock.calls).toEqual([[]]);
  expect(app.onEvent.mock.calls.map(([event]) => event.name)).toEqual(['change_screen', end]);
  expect(app.onError.mock.calls).toEqual([[BANK_DOWN]]);
  expect(app.onSuccess.mock.calls).toEqual(end === 'success' ? [[LINKED]] : []);
  expect(app.onExit.mock.calls).toEqual(end === 'exit' ? [[EXITED]] : []);
}

describe.each(['success', 'exit'] as const)('Every callback of a flow that ends with %s', (end) => {
  it('is called when the app presents the flow', async () => {
    const app = await renderApp();
    const heardBack = callbacks();
    await app.use((connect) => connect.presentLinkFlow({ linkSessionToken: TOKEN, ...heardBack }));
    await reportAll(end);
    expectAll(heardBack, end);
  });

  it('is called in a ConnectView', async () => {
    const heardBack = callbacks();
    await renderApp({ children: <ConnectView linkSessionToken={TOKEN} {...heardBack} /> });
    await reportAll(end);
    expectAll(heardBack, end);
  });

  it('is called for the address that started the app', async () => {
    jest.spyOn(Linking, 'getInitialURL').mockResolvedValue(RETURN);
    function Listener(props: Omit<ContinueOptions, 'url'>) {
      useOAuthReturn(props);
      return null;
    }
    const heardBack = callbacks();
    await renderApp({ children: <Listener {...heardBack} /> });
    await act(async () => undefined);
    await reportAll(end);
    expectAll(heardBack, end);
  });

  it('may be missing', async () => {
    const app = await renderApp();
    const onSuccess = jest.fn();
    const failed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await app.use((connect) => connect.presentLinkFlow({ linkSessionToken: TOKEN, onSuccess }));
    await reportAll(end);
    expect(onSuccess.mock.calls).toEqual(end === 'success' ? [[LINKED]] : []);
    expect(failed).not.toHaveBeenCalled();
  });
});

describe('The options of a flow', () => {
  const initOptions = async (options: object) => {
    const app = await renderApp();
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: TOKEN, ...callbacks(), ...options }),
    );
    await say('hello', { app_version: '1' });
    return heard()[0]?.payload['options'];
  };

  it('reach the page, each as the app gave it', async () => {
    const theme = { colors: { accent: 'teal' } };
    const given = { applicationName: 'Pocket Ledger', theme, appearance: 'dark', locale: 'fr-CA' };
    expect(await initOptions({ ...given, closeOnSuccess: false })).toMatchObject({
      application_name: 'Pocket Ledger',
      theme,
      appearance: 'dark',
      locale: 'fr-CA',
      close_on_success: false,
    });
  });

  it('are the defaults of Connect when the app gives none', async () => {
    expect(await initOptions({})).toMatchObject({
      application_name: null,
      theme: null,
      appearance: 'system',
      close_on_success: true,
    });
  });

  it.each([
    ['de_AT', 'de-AT'],
    ['zh_Hans_CN', 'zh-Hans-CN'],
    [undefined, Intl.DateTimeFormat().resolvedOptions().locale],
  ])('have the language of the device, %s, as %s', async (localeIdentifier, locale) => {
    const constants = I18nManager.getConstants();
    jest
      .spyOn(I18nManager, 'getConstants')
      .mockReturnValue({ ...constants, localeIdentifier } as typeof constants);
    expect(await initOptions({})).toMatchObject({ locale });
  });

  it('keep the theme of the beginning when only the appearance changes later', async () => {
    const theme = { colors: { accent: 'teal' } };
    const app = await renderApp();
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: TOKEN, ...callbacks(), theme }),
    );
    await say('hello', { app_version: '1' });
    await app.use((connect) => connect.update({ appearance: 'light' }));
    expect(heard().at(-1)).toMatchObject({
      type: 'theme',
      payload: { theme, appearance: 'light' },
    });
  });
});

describe('An exit by the app', () => {
  it.each([
    ['asks the page to let its user confirm', undefined, false],
    ['without force is the same', { force: false }, false],
    ['with force asks the page to end at once', { force: true }, true],
  ])('%s', async (_, options, force) => {
    const { use, onExit } = await openFlow();
    await use((connect) => connect.exit(options));
    expect(heard().at(-1)).toMatchObject({
      type: 'request_exit',
      payload: { force, reason: 'programmatic' },
    });
    await act(async () => jest.advanceTimersByTime(2_000));
    expect(onExit).toHaveBeenCalledTimes(force ? 1 : 0);
  });

  it('without a flow does nothing', async () => {
    const app = await renderApp();
    await app.use((connect) => connect.exit({ force: true }));
    await app.use((connect) => connect.update({ appearance: 'dark' }));
    expect(app.connect()).toMatchObject({ status: 'idle', error: null });
  });
});

describe('The error of useConnect', () => {
  it('is the last one of the flow, and gone with the next flow', async () => {
    const app = await openFlow();
    expect(app.connect().error).toBeNull();
    await say('error', BANK_DOWN);
    expect(app.connect().error).toEqual(BANK_DOWN);
    await say('exit', EXITED);
    expect(app.connect()).toMatchObject({ status: 'exited', error: BANK_DOWN });
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: 'lst_2', ...callbacks() }),
    );
    expect(app.connect()).toMatchObject({ status: 'opening', error: null });
  });
});
