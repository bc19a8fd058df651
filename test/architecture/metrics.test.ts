import { readdirSync, readFileSync } from 'node:fs';

const MAKES = 'apps/platform/src/metrics/create-metric.ts';
const sources = readdirSync('apps', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `apps/${file}`);

describe('Metrics', () => {
  it('are created only from their table', () => {
    const makers = sources.filter((file) =>
      /\bnew (Counter|Gauge|Histogram|Summary)\(/.test(readFileSync(file, 'utf8')),
    );
    expect(makers).toEqual([MAKES]);
  });
});
