import { SimplefinTokenRepository } from '../../../prisma/views/simplefin/simplefin-token.repository.js';
import { openStorage, TENANT, type Storage } from '../../support/fixtures/stored-link.js';

const NOW = new Date('2026-03-02T10:15:30Z');
const HOUR_MS = 3_600_000;

describe('The apps that create many SimpleFIN tokens', () => {
  let storage: Storage;
  let now = NOW;
  beforeAll(async () => (storage = await openStorage(() => now)));
  afterAll(() => storage?.close());

  it('are those with at least 20 in the last hour, the busiest first', async () => {
    const tokens = new SimplefinTokenRepository(storage.ctx);
    const create = async (appId: string, number: number) => {
      const maker = { ...TENANT, appId, clientId: null };
      for (let index = 0; index < number; index += 1)
        await tokens.create(maker, `user-${index}`, 'Actual');
    };
    await create('few', 19);
    await create('many', 20);
    await create('most', 21);
    const { environment } = TENANT;
    expect(await tokens.busyApps()).toEqual([
      { appId: 'most', environment, tokens: 21 },
      { appId: 'many', environment, tokens: 20 },
    ]);
    now = new Date(NOW.getTime() + HOUR_MS + 1);
    expect(await tokens.busyApps()).toEqual([]);
  });
});
