import { eventually } from '../../support/assertions/eventually.js';
import { runCommand as run } from '../../support/actors/operator.js';
import { createOperatorDatabase, env, rows } from './support/operator-database.js';

createOperatorDatabase();

describe('keys commands', () => {
  const printed = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['keys', ...args, '--json'], env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as {
      set: string;
      kid: string;
      created_at: string;
      retired_at: string | null;
    }[];
  };

  it('rotate --revoke replaces all keys at once, and list shows them all, newest first', async () => {
    expect(await printed('list')).toEqual([]);
    const [first] = await printed('rotate', '--revoke');
    expect(first).toEqual({
      set: 'native',
      kid: expect.stringMatching(/^[\w-]{43}$/),
      created_at: expect.any(String),
      retired_at: null,
    });
    const after = await printed('rotate', '--revoke');
    expect(after).toHaveLength(2);
    expect(after[1]).toMatchObject({ kid: first?.kid, retired_at: after[0]?.created_at });
    expect(await printed('list')).toEqual(after);
    expect(
      await rows(
        'SELECT kid FROM signing_keys WHERE sealed_private IS NOT NULL AND active_from <= now() AND retired_at IS NULL',
        [],
      ),
    ).toEqual([{ kid: after[0]?.kid }]);
    const { stdout } = await run(['keys', 'list'], env);
    expect(stdout).toContain('signs_from');
  });

  it('list the keys of the Plaid layer by key set, and rotate creates one in each', async () => {
    await rows(
      "INSERT INTO signing_keys (kid, key_set, public_jwk, active_from) VALUES ('of-the-sandbox', 'plaid-sandbox', '{}', now()), ('of-live', 'plaid-live', '{}', now())",
      [],
    );
    const sets = async () => (await printed('list')).map(({ set }) => set);
    expect((await sets()).filter((set) => set !== 'native')).toEqual([
      'plaid-live',
      'plaid-sandbox',
    ]);
    const after = await printed('rotate', '--revoke');
    expect(
      after
        .map(({ set, kid, retired_at: at }) => [
          set,
          kid === 'of-live' || kid === 'of-the-sandbox',
          at === null,
        ])
        .filter(([set]) => set !== 'native'),
    ).toEqual([
      ['plaid-live', false, true],
      ['plaid-live', true, false],
      ['plaid-sandbox', false, true],
      ['plaid-sandbox', true, false],
    ]);
    expect(after[0]).toMatchObject({ set: 'native', retired_at: null });
    await rows("DELETE FROM signing_keys WHERE key_set <> 'native'", []);
  });

  it('leave the rotation to the worker, which has the settings', async () => {
    const ended = run(['keys', 'rotate', '--json'], env);
    const { rotation } = await eventually(async () => {
      const found = await rows(
        "SELECT payload FROM outbox_commands WHERE kind = 'rotateSigningKey'",
        [],
      );
      expect(found).toHaveLength(1);
      return found[0]?.['payload'] as { rotation: string };
    });
    await rows(
      "INSERT INTO signing_keys (kid, public_jwk, active_from, rotation) VALUES ('made-by-the-worker', '{}', now() + interval '15 minutes', $1)",
      [rotation],
    );
    const { status, stdout } = await ended;
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { kid: 'made-by-the-worker', retired_at: null },
      {},
      {},
      {},
    ]);
  });
});
