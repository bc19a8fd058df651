import { readFileSync } from 'node:fs';
import { runCommand } from '../../support/actors/operator.js';
import { startApiInProcess } from '../../support/services/api-in-process.js';
import { startExample } from '../../support/services/start-example.js';

const PAGE = readFileSync(
  new URL('../../../docs/start/first-real-account.md', import.meta.url),
  'utf8',
);
/** The commands of the page, which has the usual app and port. */
const documented = (command: string) =>
  PAGE.includes(
    `\n${command.replace('household', 'demo').replaceAll(/localhost:\d+/g, 'localhost:4300')}\n`,
  );

describe('The sample app with a Live key pair', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** The back end of the sample app, for a new app of a service. */
  async function start(settings: Record<string, string>) {
    const service = await startApiInProcess(settings);
    closing.push(() => service.close());
    const operate = async (...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await runCommand(args, service.environment);
      if (status !== 0) throw new Error(stderr);
      return stdout;
    };
    const { live } = JSON.parse(
      await operate('apps', 'create', '--name', 'Household', '--json'),
    ) as { live: { client_id: string; client_secret: string } };
    const sample = await startExample('examples/connect-web/server.mjs', /connect-js: +(\S+)\n/, {
      TRIBUTARY_URL: service.api.baseUrl,
      CLIENT_ID: live.client_id,
      CLIENT_SECRET: live.client_secret,
    });
    closing.push(() => sample.stop());
    const page = await fetch(sample.url);
    const [cookie = ''] = page.headers.getSetCookie();
    /** The request of the button *Link a bank*. */
    const linkBank = async () => {
      const response = await fetch(`${sample.url}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: cookie.split(';')[0] ?? '' },
        body: '{"page":"plain"}',
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    return { linkBank, operate, service };
  }

  it('names the commands that add a bank where none is offered', async () => {
    const { linkBank, service } = await start({});
    await service.database.prisma.institution.deleteMany();
    const { status, body } = await linkBank();
    const [, command = ''] = /can change it: (.+)$/.exec(body['error'] ?? '') ?? [];
    expect(documented(command)).toBe(true);
    expect({ status, error: body['error'] }).toEqual({
      status: 409,
      error:
        'No bank is offered. The operator of the service can change it: npm run -s cli -- providers add simplefin && npm run -s cli -- institutions sync simplefin',
    });
  });

  it('names the command that lets its pages link, and links after it', async () => {
    const { linkBank, operate } = await start({ SANDBOX_BANKS_IN_LIVE: 'on' });
    const refused = await linkBank();
    expect(refused.status).toBe(409);
    const [, command = ''] = /npm run -s cli -- (.+)$/.exec(refused.body['error'] ?? '') ?? [];
    expect(documented(`npm run -s cli -- ${command}`)).toBe(true);
    await operate(...command.split(' '));
    const { status, body } = await linkBank();
    expect({ status, token: body['linkSessionToken'] }).toEqual({
      status: 200,
      token: expect.stringMatching(/^live_ls_/),
    });
  });
});
