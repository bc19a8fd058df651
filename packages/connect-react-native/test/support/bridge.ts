import { act } from '@testing-library/react-native';
import { webView, type FakeWebView } from './web-view';

/** The channel of a load, as the hosted app reads it from its address. */
export const channelOf = ({ loaded }: FakeWebView): string =>
  /#channel=([\w-]{22,})$/.exec(loaded)?.[1] ?? '';

interface Said {
  channel?: string;
  from?: string;
}

/** Sends a message from the hosted app. */
export function say(
  type: string,
  payload: Record<string, unknown> = {},
  { channel = channelOf(webView()), from = addressOf(webView()) }: Said = {},
): Promise<void> {
  return sayText(JSON.stringify({ ns: 'connect', v: 1, channel, type, payload }), from);
}

export async function sayText(data: string, from = addressOf(webView())): Promise<void> {
  await act(async () => {
    webView().props.onMessage?.({ nativeEvent: { data, url: from } } as never);
  });
}

export const addressOf = ({ loaded }: FakeWebView): string => loaded;

/** The messages that the SDK has sent to the hosted app, oldest first. */
export function heard(
  view: FakeWebView = webView(),
): { type: string; payload: Record<string, unknown> }[] {
  return view.injected.map((script) => {
    const [, literal] = /__connectReceive\((".*")\); true;$/s.exec(script) ?? [];
    return JSON.parse(JSON.parse(literal as string) as string) as never;
  });
}
