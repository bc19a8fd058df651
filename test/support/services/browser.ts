import { existsSync } from 'node:fs';
import {
  chromium,
  firefox,
  webkit,
  type Browser,
  type BrowserContext,
  type BrowserType,
} from 'playwright-core';

type Engine = 'chromium' | 'firefox' | 'webkit';

/**
 * The usual paths of browsers. Other engines need special builds for remote control, so their path
 * must be set.
 */
const CHROMIUMS = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ENGINES: Record<
  Engine,
  { type: BrowserType; places: readonly (string | undefined)[]; args: string[] }
> = {
  chromium: {
    type: chromium,
    places: CHROMIUMS,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  },
  firefox: { type: firefox, places: [], args: [] },
  webkit: { type: webkit, places: [], args: [] },
};

/** `BROWSER_ENGINE`: chromium unless it is firefox or webkit. */
export const browserEngine: Engine = readEngine(process.env['BROWSER_ENGINE'] || 'chromium');

/** `BROWSER_PATH` is the executable; an installed Chromium is found without it. */
const browserPath = [process.env['BROWSER_PATH'], ...ENGINES[browserEngine].places].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

const NO_BROWSER = `There is no ${browserEngine}; BROWSER_PATH can name one.`;

/** A group of tests that needs a browser. Without one it is skipped, counted and reported. */
export function describeWithBrowser(name: string, tests: () => void): void {
  if (browserPath === undefined) process.stderr.write(`SKIPPED: ${name}. ${NO_BROWSER}\n`);
  (browserPath === undefined ? describe.skip : describe)(name, tests);
}

let launched: Promise<Browser> | undefined;

/**
 * One browser for all files of a process, closed when the process exits. Each file releases it when
 * it is done.
 */
export function enterBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(NO_BROWSER);
  const { type, args } = ENGINES[browserEngine];
  launched ??= type.launch({ executablePath: browserPath, args });
  return launched;
}

/** A browser of its own whose reader has chosen another size of text. Only Chromium has an option for it. */
export function launchWithTextSize(pixels: number): Promise<Browser> {
  if (browserPath === undefined) throw new Error(NO_BROWSER);
  const { type, args } = ENGINES[browserEngine];
  return type.launch({
    executablePath: browserPath,
    args: [...args, `--blink-settings=defaultFontSize=${pixels}`],
  });
}

/**
 * Milliseconds after which waiting for a screen is hopeless. Playwright's 30 s pass on a busy
 * computer.
 */
const SCREEN_WITHIN_MS = 120_000;

/** A context whose pages are awaited as long as other conditions. */
export async function patiently(made: Promise<BrowserContext>): Promise<BrowserContext> {
  const context = await made;
  context.setDefaultTimeout(SCREEN_WITHIN_MS);
  return context;
}

/** Closes every window. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

function readEngine(name: string): Engine {
  if (name in ENGINES) return name as Engine;
  throw new Error(`BROWSER_ENGINE is "${name}"; it can be ${Object.keys(ENGINES).join(', ')}.`);
}
