import { matchingSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { runCommand as run } from '../../support/actors/operator.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { createOperatorDatabase, env, rows } from './support/operator-database.js';

createOperatorDatabase();

interface Rotated {
  client_id: string;
  client_secret: string;
  secret_id: string;
  label: string | null;
  others_end_at: string | null;
}

type ListedSecret = Record<
  'secret_id' | 'label' | 'created_at' | 'ends_at' | 'tokens_ended_at' | 'last_used_at',
  string | null
>;

async function json<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

async function newPair(name: string): Promise<StandaloneApp['sandbox']> {
  return (await json<StandaloneApp>('apps', 'create', '--name', name)).sandbox;
}

describe('clients rotate', () => {
  it('prints the new secret once, and ends the other one', async () => {
    const pair = await newPair('Rotated');
    const rotated = await json<Rotated>('clients', 'rotate', pair.client_id, '--label', 'CI');
    expect(rotated).toEqual({
      client_id: pair.client_id,
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      secret_id: expect.stringMatching(/^sec_\w{22}$/),
      label: 'CI',
      others_end_at: null,
    });
    const working = (
      await rows(
        'SELECT secret_hash FROM client_secrets WHERE client_id = $1 AND ends_at IS NULL',
        [pair.client_id],
      )
    ).map((row) => ({ secretHash: String(row['secret_hash']) }));
    expect(matchingSecret(rotated.client_secret, working)).not.toBeNull();
    expect(matchingSecret(pair.client_secret, working)).toBeNull();
  });

  it('keeps the other secrets for the overlap, and says until when', async () => {
    const pair = await newPair('Overlapping');
    const { stdout } = await run(['clients', 'rotate', pair.client_id, '--overlap', '24h'], env);
    const [newest, old] = await json<ListedSecret[]>('clients', 'secrets', pair.client_id);
    expect(newest?.ends_at).toBeNull();
    expect(stdout).toContain(`The other secrets work until ${old?.ends_at}.`);
  });

  it('refuses to keep more than five secrets', async () => {
    const pair = await newPair('Crowded');
    const rotate = () => run(['clients', 'rotate', pair.client_id, '--overlap', '1h'], env);
    for (let count = 2; count <= 5; count += 1) expect((await rotate()).status).toBe(0);
    expect(await rotate()).toEqual({
      status: 1,
      stdout: '',
      stderr: `${pair.client_id} has 5 secrets that work, and may not have more. End one with clients end-secret, or rotate without an overlap.\n`,
    });
  });
});

describe('clients end-secret', () => {
  it('ends one secret and, on request, its tokens', async () => {
    const pair = await newPair('Ended');
    await json<Rotated>('clients', 'rotate', pair.client_id, '--overlap', '1h');
    const [, old] = await json<ListedSecret[]>('clients', 'secrets', pair.client_id);
    const end = ['clients', 'end-secret', pair.client_id, String(old?.secret_id)];
    expect((await json<ListedSecret>(...end)).tokens_ended_at).toBeNull();
    expect(await run([...end, '--tokens'], env)).toEqual({
      status: 0,
      stdout: `${old?.secret_id} does not work any more. Tokens that were issued for it do not work either.\n`,
      stderr: '',
    });
  });

  it('refuses to end the only secret that works', async () => {
    const pair = await newPair('Alone');
    const [only] = await json<ListedSecret[]>('clients', 'secrets', pair.client_id);
    const { status, stderr } = await run(
      ['clients', 'end-secret', pair.client_id, String(only?.secret_id)],
      env,
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`is the only secret of ${pair.client_id} that works.`),
    ]);
  });
});

describe('A command about secrets', () => {
  it('never prints a hash, and records neither secrets nor hashes', async () => {
    const pair = await newPair('Quiet');
    const rotated = await json<Rotated>('clients', 'rotate', pair.client_id);
    const listed = await run(['clients', 'secrets', pair.client_id], env);
    const recorded = JSON.stringify(
      await rows('SELECT * FROM operator_actions WHERE subject LIKE $1', [`%${pair.client_id}%`]),
    );
    expect(recorded).toContain('clients rotate');
    for (const text of [listed.stdout, recorded])
      for (const secret of ['sha256$', rotated.client_secret, pair.client_secret])
        expect(text).not.toContain(secret);
  });

  it.each([
    [['rotate', 'sandbox_none'], 'There is no client sandbox_none.'],
    [['secrets', 'sandbox_none'], 'There is no client sandbox_none.'],
    [['end-secret', 'sandbox_none', 'sec_x'], 'There is no secret sec_x of a client sandbox_none.'],
    [['rotate', 'x', '--overlap', 'soon'], 'Must be a duration such as 30s, 15m, 6h or 30d.'],
    [['rotate', 'x', '--overlap', '366d'], 'Must be at most 365d.'],
    [['rotate', 'x', '--label', ' '], 'Must be one line of 1 to 100 characters.'],
    [['rotate', 'x', '--label', 'a\nb'], 'Must be one line of 1 to 100 characters.'],
  ])('is refused with a sentence: %j', async (args, sentence) => {
    const { status, stdout, stderr } = await run(['clients', ...args], env);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
  });
});
