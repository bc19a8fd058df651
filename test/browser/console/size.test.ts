import { gzipSync } from 'node:zlib';
import { describeConsole } from './support/stage.js';

const BUDGET = 230_000;

describeConsole('The first load of the console', (stage) => {
  it('needs no more script than its budget', async () => {
    const { page } = await stage.newPage();
    const sizes: number[] = [];
    await page.route('**/assets/*.js', async (route) => {
      const response = await route.fetch();
      sizes.push(gzipSync(await response.body(), { level: 9 }).length);
      await route.fulfill({ response });
    });
    await page.goto(`${stage.url}/sign-in`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const total = sizes.reduce((sum, size) => sum + size, 0);
    process.stdout.write(`  first load: ${(total / 1000).toFixed(1)} kB of compressed script\n`);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThanOrEqual(BUDGET);
  });
});
