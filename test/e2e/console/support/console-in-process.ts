import { createProcessLogger } from '../../../../apps/platform/src/process/process-logger.js';
import { readSettings } from '../../../../apps/platform/src/config/settings.js';
import { openService, type Service } from '../../../../apps/operator/src/service.js';
import { startConsole } from '../../../../apps/console-server/src/start-console.js';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import {
  ConsoleCodeRepository,
  type CodeHolder,
} from '../../../../prisma/operations/console/console-code.repository.js';
import { checkLogLines } from '../../../support/assertions/check-log-lines.mjs';
import { startApiInProcess, type ApiInProcess } from '../../../support/services/api-in-process.js';

export const OPERATOR: CodeHolder = {
  role: 'operator',
  appId: null,
  isReadOnly: false,
  label: 'ada',
};

export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

/** The console on a free port of this process, beside an API and on its database. */
export interface ConsoleInProcess {
  url: string;
  service: Service;
  api: ApiInProcess;
  /** Everything that the console logged. */
  log(): string;
  close(): Promise<void>;
}

/** @param folder the build folder of the page, for tests that look at it */
export async function startConsoleInProcess(
  env: Record<string, string> = {},
  { folder }: { folder?: string } = {},
): Promise<ConsoleInProcess> {
  const api = await startApiInProcess(env);
  const port = env['CONSOLE_PORT'] ?? String(await freePort('127.0.0.1'));
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    ...api.environment,
    CONSOLE_PORT: port,
    CONSOLE_BASE_URL: url,
    CONSOLE_API_URL: api.api.baseUrl,
    ...env,
  };
  const service = openService(environment);
  let log = '';
  const { close } = await startConsole({
    settings: readSettings(environment, 'console'),
    service,
    ...(folder === undefined ? {} : { folder }),
    logger: createProcessLogger({
      name: 'console',
      level: 'debug',
      format: 'json',
      destination: {
        write: (line: string) => {
          log += line;
        },
      },
    }),
  });
  return {
    url,
    service,
    api,
    log: () => log,
    close: async () => {
      await close();
      await service.close();
      await api.close();
      checkLogLines(log, 'the console');
    },
  };
}

/** A browser at the console: it keeps cookies and the half of the session that its page stores. */
export class ConsoleBrowser {
  cookies = new Map<string, string>();
  half: string | null = null;

  constructor(readonly url: string) {}

  static async signedIn(
    { url, service }: ConsoleInProcess,
    holder: Partial<CodeHolder> = {},
  ): Promise<ConsoleBrowser> {
    const browser = new ConsoleBrowser(url);
    const code = await new ConsoleCodeRepository(service.context).create({
      ...OPERATOR,
      ...holder,
    });
    await browser.signIn(code);
    return browser;
  }

  async signIn(code: string): Promise<ConsoleAnswer> {
    const answer = await this.call('POST', '/session/code', { code });
    const { session } = answer.body as { session?: string };
    if (session !== undefined) this.half = session;
    return answer;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.call('GET', path, undefined, headers);
  }

  /** A call below `/api`, as the page of the console makes it. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ConsoleAnswer> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(method === 'GET'
          ? {}
          : {
              origin: this.url,
              'sec-fetch-site': 'same-origin',
              'content-type': 'application/json',
            }),
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(this.half === null ? {} : { 'console-session': this.half }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}) as Record<
        string,
        unknown
      >,
    };
  }
}
