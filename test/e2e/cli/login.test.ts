import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { DeveloperCli } from '../../support/actors/developer-cli.js';

serviceOfFile();

let cli: DeveloperCli;
beforeAll(() => {
  cli = new DeveloperCli(service.info.base_url);
});

const login = (secret: string, ...options: string[]) =>
  cli.run(
    [
      'login',
      '--url',
      service.info.base_url,
      '--client-id',
      service.app.sandbox.client_id,
      ...options,
    ],
    `${secret}\n`,
  );

describe('tributary login', () => {
  it('stores a key pair that only its owner can read, and never prints the secret', async () => {
    const { client_secret: secret } = service.app.sandbox;
    const { status, stdout, stderr } = await login(secret);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Logged in to App of a file (sandbox)');
    const file = join(cli.folder, 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(secret);
    const shown = await cli.json<{ app_id: string }>('whoami');
    expect(shown).toMatchObject({
      app_id: service.app.app_id,
      environment: 'sandbox',
      profile: 'default',
      scopes: expect.arrayContaining(['webhooks:listen']),
    });
    const listed = await cli.run(['profiles', 'list']);
    for (const text of [stdout, JSON.stringify(shown), listed.stdout])
      expect(text).not.toContain(secret);
  });

  it('stores nothing for a wrong secret', async () => {
    const before = readFileSync(join(cli.folder, 'profiles.json'), 'utf8');
    const { status, stdout, stderr } = await login('wrong-secret', '--profile', 'wrong');
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toContain('api_error.auth.unauthorized');
    expect(stderr).not.toContain('wrong-secret');
    expect(readFileSync(join(cli.folder, 'profiles.json'), 'utf8')).toBe(before);
  });

  it('keeps several profiles, of which one is current', async () => {
    await login(service.app.sandbox.client_secret, '--profile', 'second');
    expect(await cli.json('whoami')).toMatchObject({ profile: 'second' });
    await cli.json('profiles', 'use', 'default');
    expect(await cli.json('whoami')).toMatchObject({ profile: 'default' });
    expect(await cli.json('whoami', '--profile', 'second')).toMatchObject({ profile: 'second' });
    await cli.json('logout', '--profile', 'second');
    expect(await cli.run(['whoami', '--profile', 'second'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('There is no profile "second".'),
    });
  });

  it('is refused by a file that others can read', async () => {
    const file = join(cli.folder, 'profiles.json');
    chmodSync(file, 0o644);
    expect(await cli.run(['whoami'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`Run \`chmod 600 ${file}\``),
    });
    chmodSync(file, 0o600);
  });

  it('asks at a terminal, and does not show the secret', async () => {
    const asking = new DeveloperCli(service.info.base_url);
    const running = asking.startAtTerminal(['login', '--url', service.info.base_url]);
    await running.until('Client id');
    running.type(`${service.app.sandbox.client_id}\r`);
    await running.until('Client secret');
    running.type(`${service.app.sandbox.client_secret}\r`);
    expect(await running.ended).toBe(0);
    expect(running.stdout).toContain('Logged in to');
    expect(running.stdout).not.toContain(service.app.sandbox.client_secret);
  });
});
