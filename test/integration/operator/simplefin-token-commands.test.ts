import { runCommand as run } from '../../support/actors/operator.js';
import { createOperatorDatabase, env, rows } from './support/operator-database.js';

createOperatorDatabase();

const USER = 'ann@mail.example';
const tokens = (verb: string, ...args: string[]) =>
  run(['users', 'simplefin-tokens', verb, '--json', ...args], {
    ...env,
    BASE_URL: 'https://api.example',
  });

describe('users simplefin-tokens', () => {
  it('creates, lists and revokes the tokens of a user, without the user in the record of operators', async () => {
    const app = await run(['apps', 'create', '--json', '--name', 'Pocket Ledger'], env);
    const { app_id: appId } = JSON.parse(app.stdout) as { app_id: string };
    const ofUser = [appId, 'sandbox', '--user', USER];
    const created = await tokens('create', ...ofUser, '--name', 'Actual');
    const { setup_token: setupToken, ...token } = JSON.parse(created.stdout) as {
      setup_token: string;
      token_id: string;
    };
    expect(token).toMatchObject({ name: 'Actual', status: 'unclaimed' });
    expect(Buffer.from(setupToken, 'base64').toString()).toMatch(
      /^https:\/\/api\.example\/simplefin\/claim\/[A-Za-z0-9]{44}$/,
    );
    expect(JSON.parse((await tokens('list', ...ofUser)).stdout)).toEqual([
      { ...token, user: USER, created_by: 'operator' },
    ]);
    expect(await tokens('revoke', token.token_id)).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse((await tokens('list', ...ofUser)).stdout)).toEqual([]);
    expect((await tokens('revoke', token.token_id)).status).toBe(1);
    expect((await tokens('revoke-all', ...ofUser, '--after', '2026-01-31')).status).toBe(0);
    const recorded = await rows(
      `SELECT action, subject FROM operator_actions WHERE action LIKE 'users %' AND outcome = 'succeeded'`,
      [],
    );
    expect(recorded).toEqual([
      { action: 'users simplefin-tokens create', subject: `${appId} sandbox --name Actual` },
      { action: 'users simplefin-tokens revoke', subject: token.token_id },
      {
        action: 'users simplefin-tokens revoke-all',
        subject: `${appId} sandbox --after 2026-01-31T00:00:00.000Z`,
      },
    ]);
  });

  it('refuses an unknown app', async () => {
    expect(await tokens('create', 'unknown', 'sandbox', '--user', USER)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no app unknown.'),
    });
  });
});
