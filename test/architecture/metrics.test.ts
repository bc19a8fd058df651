import { readdirSync, readFileSync } from 'node:fs';

const MAKES = 'apps/platform/src/metrics/create-metric.ts';
const sources = ['apps', 'simulators']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts'));

describe('Metrics', () => {
  it('are created only from their table', () => {
    const makers = sources.filter((file) =>
      /\bnew (Counter|Gauge|Histogram|Summary)\(/.test(readFileSync(file, 'utf8')),
    );
    expect(makers).toEqual([MAKES]);
  });
});
