import { QuotaRepository } from '../../../prisma/sources/quotas/quota.repository.js';
import { runCommand as run } from '../../support/actors/operator.js';
import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';

storageOfFile();

let env: Record<string, string>;
beforeAll(async () => {
  env = {
    DATABASE_URL: storage.url,
    MASTER_KEYS: `k1:${storage.masterKey.toString('base64')}`,
  };
  const quotas = new QuotaRepository(storage.ctx);
  const call = { provider: 'sandbox', quota: 'reads', limit: 2, reserve: 0, windowSeconds: 86_400 };
  await quotas.take({ ...call, subject: 'canary-grant-1' });
  await quotas.take({ ...call, subject: 'canary-grant-1' });
  await quotas.take({ ...call, subject: 'canary-grant-2' });
});

describe('quotas show', () => {
  it.each([[[]], [['sandbox']]])('shows the use of each quota: %j', async (configuration) => {
    const { status, stdout } = await run(['quotas', 'show', ...configuration, '--json'], env);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        configuration: 'sandbox',
        quota: 'reads',
        limit: 2,
        counted_for: 2,
        used_up: 1,
        least_left: 0,
        next_room_at: expect.stringMatching(/^2\d{3}-/),
      },
    ]);
  });

  it('prints a table for people, without the ids of permissions', async () => {
    const { stdout } = await run(['quotas', 'show'], env);
    expect(stdout.split('\n')[0]).toMatch(/^configuration +quota +limit +counted_for +used_up/);
    expect(stdout).not.toContain('canary');
  });

  it('refuses an unknown configuration', async () => {
    expect(await run(['quotas', 'show', 'nowhere'], env)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no provider configuration nowhere.\n',
    });
  });
});
