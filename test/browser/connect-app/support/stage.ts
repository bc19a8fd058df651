import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import {
  browserEngine,
  describeWithBrowser,
  enterBrowser,
  launchWithTextSize,
  leaveBrowser,
  patiently,
} from '../../../support/services/browser.js';
import { eventually } from '../../../support/assertions/eventually.js';
import { ReusedPages } from '../../support/reused-pages.js';
import { withoutBlur } from '../../support/without-blur.js';
import { appPage, bankPage, returnPage } from './app-page.js';
import type { ScriptedSession } from './scripted-session.js';
import { startConnectServer, startPageServer, type Running } from './servers.js';

export interface Heard {
  type: string;
  channel: string;
  payload: Record<string, unknown>;
}

interface OpenOptions {
  context?: BrowserContextOptions;
  /** A page to use instead of a shared one. */
  page?: Page;
  entry?: 'start' | 'continue';
  init?: Record<string, unknown>;
  options?: Record<string, unknown>;
  holdInit?: boolean;
}

export const CHANNEL = 'Ck5Zq0pLr2Jx8vWn4Ty6Bg';

/**
 * The parts that a test of the hosted app needs: the browser, the two origins, and a page in which
 * the app is open.
 */
export interface Stage {
  browser: Browser;
  connect: Running;
  app: Running;
  play: (session: ScriptedSession) => void;
  /** Opens a page in its own browser context. */
  newPage: (context?: BrowserContextOptions) => Promise<Page>;
  open: (session: ScriptedSession, options?: OpenOptions) => Promise<Opened>;
}

export interface Opened {
  page: Page;
  frame: Frame;
  /** Messages of the app so far, optionally of one type. */
  heard: (type?: string) => Promise<Heard[]>;
  events: (name: string) => Promise<Record<string, unknown>[]>;
  say: (type: string, payload?: Record<string, unknown>) => Promise<void>;
}

/** A group of tests with one browser. Without Chromium it is skipped, counted and reported. */
export function describeInBrowser(
  name: string,
  tests: (stage: Stage) => void,
  { textSize }: { textSize?: number } = {},
): void {
  describeWithBrowser(name, () => {
    const stage = {} as Stage;
    let session: ScriptedSession;
    const contexts = new Set<BrowserContext>();
    const pages = new ReusedPages(async () =>
      (await withoutBlur(await newContext(stage.browser))).newPage(),
    );
    beforeAll(async () => {
      stage.browser = await (textSize === undefined
        ? enterBrowser()
        : launchWithTextSize(textSize));
      stage.connect = await startConnectServer(() => session);
      stage.app = await startPageServer({
        '/': appPage,
        '/bank-return': returnPage,
        '/bank': bankPage,
      });
      stage.play = (next) => {
        session = next;
      };
      stage.newPage = async (options) => {
        if (options === undefined) return pages.take();
        const context = await withoutBlur(await newContext(stage.browser, options));
        contexts.add(context);
        return context.newPage();
      };
      stage.open = async (next, { context, page, ...options } = {}) => {
        session = next;
        return openConnect(stage, page ?? (await stage.newPage(context)), options);
      };
    });
    // The page of a failed test would keep calling, and receive responses of the next test's
    // session.
    afterEach(async () => {
      await Promise.all([...contexts].map((context) => context.close()));
      contexts.clear();
      await pages.releaseAll();
    });
    afterAll(async () => {
      await leaveBrowser(stage.browser);
      if (textSize !== undefined) await stage.browser.close();
      await Promise.all([stage.connect.stop(), stage.app.stop()]);
    });
    tests(stage);
  });
}

/**
 * After this resolves, the frame has received every message that the window posted before, and
 * their effects have reached the server: our message follows theirs, and so does our call.
 */
export async function afterMessagesTo(
  frame: Frame,
  { from, through }: { from: Page; through: 'frame' | 'opener' },
): Promise<void> {
  const barrier = randomUUID();
  await frame.evaluate((awaited) => {
    window.addEventListener('message', ({ data }) => {
      if (data === awaited) (window as unknown as { barrier: string }).barrier = awaited;
    });
  }, barrier);
  await from.evaluate(
    ([target, sent]) => {
      const { frame: embedded, opener } = window as unknown as {
        frame?: HTMLIFrameElement;
        opener: Window | null;
      };
      (target === 'frame' ? embedded?.contentWindow : opener)?.postMessage(sent, '*');
    },
    [through, barrier] as const,
  );
  await frame.waitForFunction(
    (awaited) => (window as unknown as { barrier?: string }).barrier === awaited,
    barrier,
  );
  await frame.evaluate(async () => {
    await (await fetch(location.pathname)).text();
  });
}

async function openConnect(
  { app, connect }: Stage,
  page: Page,
  {
    entry = 'start',
    init = {},
    options = {},
    holdInit = false,
  }: Omit<OpenOptions, 'context' | 'page'>,
): Promise<Opened> {
  await page.goto(`${app.origin}/`);
  await page.evaluate(
    (config) => {
      (window as unknown as { openConnect: (config: unknown) => void }).openConnect(config);
    },
    {
      base: `${connect.origin}/connect`,
      entry,
      channel: CHANNEL,
      holdInit,
      init: {
        link_session_token: 'token_scripted',
        ...init,
        options: {
          close_on_success: false,
          device: 'desktop',
          platform: 'web',
          sdk: { name: 'scripted', version: '1' },
          ...options,
        },
      },
    },
  );
  const frame = await eventually(() => {
    const found = page.frames().find((each) => each.url().startsWith(connect.origin));
    if (found === undefined) throw new Error('The frame is not there yet.');
    return found;
  });
  const heard = async (type?: string): Promise<Heard[]> => {
    const all = await page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
    return type === undefined ? all : all.filter((message) => message.type === type);
  };
  return {
    page,
    frame,
    heard,
    events: async (name) =>
      (await heard('event'))
        .map(({ payload }) => payload)
        .filter((payload) => payload['name'] === name),
    say: (type, payload = {}) =>
      page.evaluate(
        ([kind, content]) => {
          (window as unknown as { say: (type: unknown, payload: unknown) => void }).say(
            kind,
            content,
          );
        },
        [type, payload] as const,
      ),
  };
}

export function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  // Firefox has no mobile mode; these tests need only sizes and touch.
  const { isMobile = false, ...common } = options;
  return patiently(
    browser.newContext({
      viewport: { width: 900, height: 800 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...common,
      ...(browserEngine === 'firefox' ? {} : { isMobile }),
    }),
  );
}
