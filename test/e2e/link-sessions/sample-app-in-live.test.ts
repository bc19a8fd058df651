import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/assertions/eventually.js';
import { runCommand } from '../../support/actors/operator.js';
import { startApiInProcess } from '../../support/services/api-in-process.js';
import { startExample } from '../../support/services/start-example.js';
import { request as imported } from '../links/support/import-requests.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';

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
    const app = JSON.parse(await operate('apps', 'create', '--name', 'Household', '--json')) as {
      live: { client_id: string; client_secret: string };
    };
    const dataDir = mkdtempSync(join(tmpdir(), 'tributary-sample-'));
    closing.push(async () => rmSync(dataDir, { recursive: true }));
    const description = { base_url: service.api.baseUrl, apps: [app] };
    writeFileSync(join(dataDir, 'standalone.json'), JSON.stringify(description));

    /** `npm run sample-app -- --pair live`, and a browser at its page. */
    const startSample = async () => {
      const sample = await startExample(
        'examples/connect-web/server.mjs',
        /connect-js: +(\S+)\n/,
        { DATA_DIR: dataDir, TRIBUTARY_URL: '' },
        ['--pair', 'live'],
      );
      closing.push(() => sample.stop());
      const [cookie = ''] = (await fetch(sample.url)).headers.getSetCookie();
      const headers = { 'content-type': 'application/json', cookie: cookie.split(';')[0] ?? '' };
      /** The request of the button *Link a bank*. */
      const linkBank = async () => {
        const init = { method: 'POST', headers, body: '{"page":"plain"}' };
        const response = await fetch(`${sample.url}/api/session`, init);
        return { status: response.status, body: (await response.json()) as Record<string, string> };
      };
      const links = async () =>
        (await (await fetch(`${sample.url}/api/links`, { headers })).json()) as {
          link: { link_id: string };
        }[];
      return { ...sample, linkBank, links };
    };
    /** Commands begin with the folder by which they find the service. */
    const inFolder = `DATA_DIR=${dataDir} `;
    return { startSample, operate, service, live: app.live, inFolder };
  }

  it('names the commands that add a bank where none is offered', async () => {
    const { startSample, service, inFolder } = await start({});
    await service.database.prisma.institution.deleteMany();
    const { linkBank } = await startSample();
    const { status, body } = await linkBank();
    const [, command = ''] = /can change it: (.+)$/.exec(body['error'] ?? '') ?? [];
    expect(documented(command.replaceAll(inFolder, ''))).toBe(true);
    expect({ status, error: body['error'] }).toEqual({
      status: 409,
      error: `No bank is offered. The operator of the service can change it: ${inFolder}npm run -s operator -- providers add simplefin && ${inFolder}npm run -s operator -- institutions sync simplefin`,
    });
  });

  it('names the command that lets its pages link, and links after it', async () => {
    const { startSample, operate } = await start({ SANDBOX_BANKS_IN_LIVE: 'on' });
    const { linkBank } = await startSample();
    const refused = await linkBank();
    expect(refused.status).toBe(409);
    const [, command = ''] = /npm run -s operator -- (.+)$/.exec(refused.body['error'] ?? '') ?? [];
    expect(documented(`npm run -s operator -- ${command}`)).toBe(true);
    await operate(...command.split(' '));
    const { status, body } = await linkBank();
    expect({ status, token: body['linkSessionToken'] }).toEqual({
      status: 200,
      token: expect.stringMatching(/^live_ls_/),
    });
  });

  it('names the command that offers banks of another country where none is in the United States', async () => {
    const { startSample, service } = await start({ SANDBOX_BANKS_IN_LIVE: 'on' });
    await service.database.prisma.institution.updateMany({ data: { country: 'FI' } });
    const { printed } = await startSample();
    await eventually(() => expect(printed()).toContain('The service has banks in FI.'));
    const [, command = ''] = /^ {2}DATA_DIR=\S+ (npm run .+)$/m.exec(printed()) ?? [];
    expect(command).toBe('npm run -s operator -- apps update household --country FI');
    expect(documented(command)).toBe(true);
  });

  it('shows the links of its user again after a restart', async () => {
    const { startSample, service, live } = await start({ SANDBOX_BANKS_IN_LIVE: 'on' });
    const { body: token } = await service.api.post('/auth/token', {
      form: { grant_type: 'client_credentials', ...live },
    });
    const linked = await service.api
      .as((token as { access_token: string }).access_token)
      .post('/links/import', { json: imported({ customer_user: { id: 'me' } }) });
    const { links } = await startSample();
    expect((await links()).map(({ link }) => link.link_id)).toEqual([
      (linked.body as { link_id: string }).link_id,
    ]);
  });

  it('serves no page of a foreign name that leads to this computer', async () => {
    const { startSample } = await start({});
    const { url } = await startSample();
    const sent = expectLoss(request(url, { headers: { host: 'attacker.example' } })).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.resume().statusCode, response.headers['set-cookie']]).toEqual([
      403,
      undefined,
    ]);
  });
});
