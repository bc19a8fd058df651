import { availableParallelism } from 'node:os';

/** The levels that run, as `tools/test.mjs` sets them; without it, those that need no services. */
const levels = (process.env.TEST_LEVELS || 'unit,architecture').split(',');
/** Long searches for rare orders of events: `npm run test:all`, or a path that names them. */
const ignored = process.env.LONG_RUNS ? [] : ['\\.long\\.test\\.ts$'];

/** Tests of level `sdk` that look at the packages from outside a page: as published, in a real browser, in Swift. */
const outsidePages = [
  'browser',
  'browser.long',
  'built-packages',
  'connect-on-android',
  'example',
  'flow-agreement',
  'mcp-package',
  'node-package',
  'phone-apps.long',
].map((name) => `<rootDir>/test/sdk/${name}.test.ts`);
const shared = {
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', ...ignored],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/test/sdk/consumer/',
    '<rootDir>/test/sdk/node-consumer/',
  ],
};

/** Each process loads a module once and runs one file after another: docs/contributing/tests.md. */
const node = {
  ...shared,
  displayName: 'node',
  runner: '<rootDir>/test/support/runner/light-runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/runner/guard.ts'],
  testMatch: [
    ...levels
      .filter((level) => level !== 'sdk')
      .map((level) => `<rootDir>/test/${level}/**/*.test.ts`),
    ...(levels.includes('sdk') ? outsidePages : []),
  ],
};

/** The packages inside a page: jsdom, a new one for each file. */
const page = {
  ...shared,
  displayName: 'page',
  testEnvironment: 'jsdom',
  testMatch: ['<rootDir>/test/sdk/**/*.test.{ts,tsx}'],
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, ...outsidePages],
  transform: {
    '\\.[jt]sx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          target: 'es2022',
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  moduleNameMapper: {
    '^@tributary/connect-js$': '<rootDir>/packages/connect-js/src/index.ts',
    '^@tributary/connect-js/core$': '<rootDir>/packages/connect-js/src/core.ts',
    // The package for React Native has another one in its folder.
    '^react(/.*)?$': '<rootDir>/node_modules/react$1',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  restoreMocks: true,
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask', 'performance'] },
};

export default {
  projects: [
    ...(levels.includes('sdk') ? [page] : []),
    ...(node.testMatch.length > 0 ? [node] : []),
  ],
  testSequencer: './tools/test-sequencer.mjs',
  // Workers exit within milliseconds, but on a busy computer not within the default 500. One with an open handle never does.
  workerGracefulExitTimeout: 60_000,
  testTimeout: Number(process.env.TEST_WITHIN_MS ?? 120_000),
  // More than there are processors: most of what takes long waits for a service. A cluster needs them all.
  maxWorkers: levels.includes('cluster') ? 1 : 2 * availableParallelism(),
};
