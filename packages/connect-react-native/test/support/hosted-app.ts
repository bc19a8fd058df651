import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '../../../..');
const BROWSERS = [
  process.env['BROWSER_PATH'],
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The installed Chromium, on which a WebView of Android is based. */
export const browserPath = BROWSERS.find((path) => path !== undefined && existsSync(path));

export interface HostedApp {
  /** Origin of the built hosted app. */
  connect: string;
  /** Starts a story of `test/browser/phones/support/phone-stories.ts`. */
  play: (story: string) => Promise<void>;
  /** The calls to the service since. */
  calls: () => Promise<{ method: string; path: string; body: Record<string, unknown> }[]>;
  stop: () => void;
}

/**
 * The built hosted app with scripted sessions, in a process of its own, which runs like the other
 * tests of the project.
 */
export async function startHostedApp(): Promise<HostedApp> {
  const server = spawn(
    process.execPath,
    [
      '--import',
      '@swc-node/register/esm-register',
      '--disable-warning=ExperimentalWarning',
      'test/support/phones/serve-hosted-app.ts',
    ],
    { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  // It may have ended before `stop`.
  server.stdin.on('error', () => undefined);
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(server.stdout).once('line', resolve);
    server.once('exit', (status) => reject(new Error(`the hosted app ended with ${status}`)));
  });
  const { connect, control } = JSON.parse(line) as { connect: string; control: string };
  return {
    connect,
    play: async (story) => void (await call('POST', `${control}/play?story=${story}`)),
    calls: () => call('GET', `${control}/calls`) as never,
    stop: () => server.stdin.end(),
  };
}

/** The `fetch` here is that of React Native, which has no network in a test. */
function call(method: string, address: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () =>
        response.statusCode === 200
          ? resolve(JSON.parse(body))
          : reject(new Error(`${method} ${address}: ${response.statusCode} ${body}`)),
      );
    });
    sent.once('error', reject);
    sent.end();
  });
}
