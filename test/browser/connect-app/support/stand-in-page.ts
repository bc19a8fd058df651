/** A window of the bank that the flow opens, and what it does with it. */
export class StandInWindow {
  readonly shown: string[] = [];
  readonly received: unknown[] = [];
  isClosed = false;
  readonly location = { replace: (address: string) => void this.shown.push(address) };
  readonly document = {
    title: '',
    documentElement: { lang: '', dir: '', style: {} },
    body: { style: {}, replaceChildren: () => undefined },
    createElement: () => ({ textContent: '', append: () => undefined }),
  };

  close(): void {
    this.isClosed = true;
  }

  postMessage(message: unknown, { targetOrigin }: { targetOrigin: string }): void {
    this.received.push({ message, targetOrigin });
  }
}

/** The part of a page that the flow uses, for tests without a browser. */
export class StandInPage {
  /** Opened by the flow, oldest first. */
  readonly windows: StandInWindow[] = [];
  /** The arguments of each `window.open`. */
  readonly opened: unknown[][] = [];
  /** Addresses that replaced the page. */
  readonly visited: string[] = [];
  isPopupBlocked = false;
  readonly document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    documentElement: { lang: 'en' },
  });
  readonly window = Object.assign(new EventTarget(), {
    open: (...call: unknown[]): StandInWindow | null => {
      this.opened.push(call);
      if (this.isPopupBlocked) return null;
      const opened = new StandInWindow();
      this.windows.push(opened);
      return opened;
    },
  });
  readonly location = { assign: (address: string) => void this.visited.push(address) };

  /** The user leaves the page for another one, or returns to it. */
  setVisible(isVisible: boolean): void {
    this.document.visibilityState = isVisible ? 'visible' : 'hidden';
    this.document.dispatchEvent(new Event('visibilitychange'));
  }

  /** A message that reaches the page. */
  receive(source: unknown, origin: string, data: unknown): void {
    this.window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }));
  }
}

const NAMES = ['document', 'window', 'location'] as const;

/** Gives each test of a group a new page, whose time passes only when the test advances it. */
export function useStandInPage(): () => StandInPage {
  let page: StandInPage;
  beforeEach(() => {
    jest.useFakeTimers();
    page = new StandInPage();
    for (const name of NAMES)
      Object.defineProperty(globalThis, name, { configurable: true, value: page[name] });
  });
  afterEach(() => {
    for (const name of NAMES) Reflect.deleteProperty(globalThis, name);
  });
  return () => page;
}

// Fake timers must not stop it.
const { setImmediate: nextTurn } = globalThis;

/** Every promise that can settle has done so. */
export const settled = (): Promise<void> => new Promise((done) => nextTurn(done));

export async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settled();
}
