import { act, fireEvent, screen } from '@testing-library/react-native';
import {
  AccessibilityInfo,
  BackHandler,
  Keyboard,
  Linking,
  Platform,
  StyleSheet,
  useColorScheme,
} from 'react-native';
import { ConnectView } from '../src/index.js';
import { colorsOf } from '../src/screens/native-colors';
import { say } from './support/bridge';
import { EXITED } from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { BASE, callbacks, renderApp, TOKEN } from './support/render-app';
import { webView } from './support/web-view';

useNewPhones();

type Element = NonNullable<ReturnType<typeof screen.getByTestId>['parent']>;

/** The nearest element around the WebView with this property. */
function around(property: string): Element {
  let element = screen.getByTestId('web-view').parent;
  while (element !== null && element.props[property] === undefined) element = element.parent;
  if (element === null) throw new Error(`no ${property} around the WebView`);
  return element;
}

describe('The modal', () => {
  const motion = () => {
    const listeners = new Set<(isReduced: boolean) => void>();
    jest.spyOn(AccessibilityInfo, 'addEventListener').mockImplementation(((
      name: string,
      listener: (isReduced: boolean) => void,
    ) => {
      if (name === 'reduceMotionChanged') listeners.add(listener);
      return { remove: () => listeners.delete(listener) };
    }) as never);
    return listeners;
  };

  it('is visible over the whole screen, so that no swipe closes it', async () => {
    await openFlow();
    expect(around('presentationStyle').props).toMatchObject({
      visible: true,
      presentationStyle: 'fullScreen',
    });
  });

  it.each([
    [true, 'none'],
    [false, 'slide'],
  ])('moves as its user prefers: reduced motion %s is %s', async (isReduced, animationType) => {
    motion();
    jest.spyOn(AccessibilityInfo, 'isReduceMotionEnabled').mockResolvedValue(isReduced);
    await openFlow();
    expect(around('animationType').props['animationType']).toBe(animationType);
  });

  it('slides while the system has not reported that preference', async () => {
    motion();
    jest
      .spyOn(AccessibilityInfo, 'isReduceMotionEnabled')
      .mockReturnValue(new Promise(() => undefined));
    await openFlow();
    expect(around('animationType').props['animationType']).toBe('slide');
  });

  it('follows a later change of that preference, until it is unmounted', async () => {
    const listeners = motion();
    jest.spyOn(AccessibilityInfo, 'isReduceMotionEnabled').mockResolvedValue(false);
    const app = await openFlow();
    await act(async () => listeners.forEach((change) => change(true)));
    expect(around('animationType').props['animationType']).toBe('none');
    await app.unmount();
    expect(listeners.size).toBe(0);
  });
});

describe('The surroundings of the WebView', () => {
  it.each([
    ['shrink above the keyboard on android', 'android', 'keyboardDidShow', 500],
    ['leave the keyboard to the page on ios', 'ios', 'keyboardWillShow', undefined],
  ] as const)('%s', async (_, system, event, height) => {
    jest.replaceProperty(Platform, 'OS', system);
    const listeners = new Map<string, (event: unknown) => void>();
    jest.spyOn(Keyboard, 'addListener').mockImplementation(((
      name: string,
      listener: (event: unknown) => void,
    ) => {
      listeners.set(name, listener);
      return { remove: () => listeners.delete(name) };
    }) as never);
    await openFlow();
    const layout = { x: 0, y: 0, width: 400, height: 800 };
    await fireEvent(around('accessibilityViewIsModal'), 'layout', {
      nativeEvent: { layout },
      persist: () => undefined,
    });
    const endCoordinates = { screenX: 0, screenY: 500, width: 400, height: 300 };
    await act(async () => listeners.get(event)?.({ duration: 0, easing: '', endCoordinates }));
    const style = StyleSheet.flatten(around('accessibilityViewIsModal').props['style']) as object;
    expect({ height: undefined, ...style }).toMatchObject({ height });
  });

  it('hide everything behind them from screen readers', async () => {
    await openFlow();
    expect(around('accessibilityViewIsModal').props['accessibilityViewIsModal']).toBe(true);
  });
});

describe('The native screens', () => {
  const present = async (options: object = {}) => {
    const app = await renderApp();
    await app.use((connect) =>
      connect.presentLinkFlow({
        linkSessionToken: TOKEN,
        locale: 'de',
        ...callbacks(),
        ...options,
      }),
    );
    return app;
  };
  const shown = () => JSON.stringify(screen.toJSON());

  it.each(['light', 'dark'] as const)(
    'have background and text of the appearance %s, while the page loads and when it failed',
    async (appearance) => {
      await present({ appearance });
      const { background, text } = colorsOf(appearance);
      const other = colorsOf(appearance === 'dark' ? 'light' : 'dark');
      expect(background).toBe(appearance === 'dark' ? '#111417' : '#ffffff');
      const expectColors = () => {
        expect(shown()).toContain(`"backgroundColor":"${background}"`);
        expect(shown()).toContain(`"color":"${text}"`);
        expect(shown()).not.toContain(`"backgroundColor":"${other.background}"`);
      };
      expectColors();
      expect(screen.getByLabelText('Wird geladen').props).toMatchObject({ color: text });
      await act(async () => webView().props.onError?.({} as never));
      expectColors();
    },
  );

  it.each([
    ['dark', 'light', 'light'],
    ['light', 'dark', 'dark'],
    ['dark', 'system', 'dark'],
    ['light', 'system', 'light'],
    ['dark', undefined, 'dark'],
  ] as const)(
    'have on a %s device with the appearance %s the colors of %s',
    async (device, appearance, expected) => {
      jest.mocked(useColorScheme).mockReturnValue(device);
      await present({ appearance });
      expect(shown()).toContain(`"backgroundColor":"${colorsOf(expected).background}"`);
      jest.mocked(useColorScheme).mockReturnValue('light');
    },
  );

  it('name what they do in the language of the flow', async () => {
    await present();
    expect(screen.getByLabelText('Wird geladen').props).toMatchObject({ size: 'large' });
    expect(screen.getByRole('button', { name: 'Schließen' })).toBeTruthy();
    await act(async () => webView().props.onError?.({} as never));
    expect(screen.getByRole('button', { name: 'Noch einmal versuchen' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Schließen' })).toBeTruthy();
  });
});

describe('A link of the page that requests a window of its own', () => {
  it('opens outside even when it leads to Connect', async () => {
    await openFlow();
    const nativeEvent = { targetUrl: `${BASE}/start` };
    await act(async () => webView().props.onOpenWindow?.({ nativeEvent } as never));
    expect(Linking.openURL).toHaveBeenCalledWith(`${BASE}/start`);
  });
});

describe('The back key of Android', () => {
  it('belongs to a ConnectView while its flow is shown, and to the app before and after', async () => {
    const listeners = new Set<unknown>();
    jest.spyOn(BackHandler, 'addEventListener').mockImplementation((_, listener) => {
      listeners.add(listener);
      return { remove: () => listeners.delete(listener) };
    });
    const heardBack = callbacks();
    const app = await renderApp({
      children: <ConnectView linkSessionToken={TOKEN} {...heardBack} />,
    });
    expect(listeners.size).toBe(1);
    await say('hello', { app_version: '1' });
    await say('exit', EXITED);
    expect(heardBack.onExit).toHaveBeenCalledTimes(1);
    expect(listeners.size).toBe(0);
    await app.unmount();
  });
});
