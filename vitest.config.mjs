import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { MixedOrder } from './tools/mixed-order.mjs';

/** The levels of the test pyramid that run; each alone by `npm run test:<level>`. */
const levels = (process.env.TEST_LEVELS ?? '').split(',').filter((level) => level !== '');
/** For a test and for a hook: no promise, only when a hanging one is ended. */
const within = Number(process.env.TEST_WITHIN_MS ?? 30_000);
/** Runs that search long for rare orders of events: `npm run test:all`, or a path that names them. */
const withoutLongRuns = process.env.LONG_RUNS ? [] : ['**/*.long.test.ts'];

/** Tests of the packages from outside of a page: as they are published, and in a browser. */
const outsideOfPages = levels.includes('sdk')
  ? ['browser', 'built-packages', 'example'].map((name) => `test/sdk/${name}.test.ts`)
  : [];

/** One process takes file after file and loads the modules once: docs/decisions/0014. */
const services = {
  name: 'services',
  include: [
    ...levels.filter((level) => level !== 'sdk').map((level) => `test/${level}/**/*.test.ts`),
    ...outsideOfPages,
  ],
  isolate: false,
};

/** The packages in a browser's page, each file in a new one; those of them that need each other are taken from their sources. */
const pages = {
  name: 'pages',
  include: levels
    .filter((level) => level === 'sdk')
    .map((level) => `test/${level}/**/*.test.{ts,tsx}`),
  exclude: [...configDefaults.exclude, ...outsideOfPages],
  environment: 'jsdom',
  alias: {
    '@tributary/connect-js': fileURLToPath(
      new URL('packages/connect-js/src/index.ts', import.meta.url),
    ),
  },
};

export default defineConfig({
  test: {
    projects: [services, pages]
      .filter(({ include }) => include.length > 0)
      .map((test) => ({ extends: true, test })),
    exclude: [...configDefaults.exclude, ...withoutLongRuns],
    setupFiles: ['test/support/as-in-a-shell.ts'],
    testTimeout: within,
    hookTimeout: within,
    pool: 'forks',
    // More than there are processors: most of what takes long waits for a service.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: MixedOrder },
  },
});
