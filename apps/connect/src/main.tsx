import { apiBase } from './session/api-base.js';
import { createRoot } from 'react-dom/client';
import { ConnectFlow } from './flow/connect-flow.js';
import { Store } from './flow/flow-store.js';
import { findHost } from './host/find-host.js';
import type { Host } from './host/host.js';
import { readAppearance } from './host/init-options.js';
import { pause } from './session/pause.js';
import { createSend } from './session/send.js';
import { SessionClient } from './session/session-client.js';
import { watchConnection } from './session/watch-connection.js';
import type { Device } from '../../../packages/connect-protocol/src/init.js';
import { App, type Look } from './shell/app.js';
import { loadDeferredTexts, loadTexts } from './texts/load-texts.js';
import type { Texts } from './texts/texts.js';
import './styles/adopt-styles.js';

const root = createRoot(document.getElementById('root') ?? document.body);
const meeting = findHost(__APP_VERSION__);
void (meeting === null ? explain() : meeting.then(run));

async function run(host: Host): Promise<void> {
  const { init } = host;
  document.documentElement.dataset['host'] = host.kind;
  if (host.kind !== 'frame') followViewport();
  let texts = await speak([init.locale, ...navigator.languages]);
  const isNeeded = (await host.enter?.(texts, (screen) => root.render(screen))) ?? true;
  if (!isNeeded) return window.close();
  const device = init.device ?? guessDevice();
  const look = new Store<Look>({ theme: init.theme, appearance: init.appearance });
  let clockOffset = 0;
  const now = (): number => Date.now() + clockOffset;
  const send = createSend({
    apiBase: apiBase(),
    credentials: host.kind === 'page' ? 'include' : 'omit',
    fetch: window.fetch.bind(window),
    pause,
    onConnection: (online) => flow.store.dispatch({ type: 'connection', online }),
    onClock: (offset) => {
      clockOffset = offset;
    },
  });
  const onLocale = async (locale: string): Promise<void> => {
    // The page's requests to its SDK take precedence over the requests of its back end for the
    // session.
    if (init.locale !== null) return;
    texts = await speak([locale, 'en', ...navigator.languages]);
    show();
  };
  const flow = new ConnectFlow(
    {
      host,
      client: new SessionClient(send),
      get texts() {
        return texts;
      },
      onLocale,
      loadDeferredTexts,
      device,
      now,
    },
    (theme, appearance) => look.set({ theme, appearance: readAppearance(appearance) }),
  );
  watchConnection((online) => flow.store.dispatch({ type: 'connection', online }));
  const show = (): void =>
    root.render(
      <App flow={flow} host={host} texts={texts} device={device} now={now} look={look} />,
    );
  show();
  await flow.start();
}

async function explain(): Promise<void> {
  document.documentElement.dataset['host'] = 'page';
  const { NotEmbedded } = await import('./shell/not-embedded.js');
  root.render(<NotEmbedded texts={await speak(navigator.languages)} />);
}

/** @param wanted in order of preference */
async function speak(wanted: readonly (string | null)[]): Promise<Texts> {
  const texts = await loadTexts(wanted);
  document.documentElement.lang = texts.locale;
  document.documentElement.dir = texts.direction;
  return texts;
}

function guessDevice(): Device {
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < 600
    ? 'mobile'
    : 'desktop';
}

/**
 * Keeps the primary button above the keyboard of a phone, which only the visual viewport takes into
 * account.
 */
function followViewport(): void {
  const { visualViewport: viewport } = window;
  if (viewport === null) return;
  const follow = (): void => {
    // Pinch zoom shrinks it, too, and must not move anything.
    if (viewport.scale === 1)
      document.documentElement.style.setProperty('--viewport-height', `${viewport.height}px`);
  };
  viewport.addEventListener('resize', follow);
  follow();
}
