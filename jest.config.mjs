import { availableParallelism } from 'node:os';

const transform = {
  '^.+\\.ts$': ['@swc/jest', {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023', transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false } },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  }],
};

const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform,
  testEnvironment: 'node',
};

/** Runs that search long for rare orders of events: `npm run test:all`, or a path that names them. */
const withoutLongRuns = process.env.LONG_RUNS ? [] : [String.raw`\.long\.test\.ts$`];

/** One Jest project per level of the test pyramid; each runs by `npm run test:<level>`. */
const level = (displayName, extra = {}) => ({
  ...shared,
  displayName,
  testPathIgnorePatterns: ['/node_modules/', ...withoutLongRuns],
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  ...extra,
});

const compile = transform['^.+\\.ts$'][1];

/** The packages in a browser's page; those of them that need each other are taken from their sources. */
const sdk = level('sdk', {
  testEnvironment: 'jsdom',
  testMatch: ['<rootDir>/test/sdk/**/*.test.{ts,tsx}'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { ...shared.moduleNameMapper, '^@tributary/connect-js$': '<rootDir>/packages/connect-js/src/index.ts' },
  transform: { '^.+\\.tsx?$': ['@swc/jest', { ...compile, jsc: { ...compile.jsc, parser: { ...compile.jsc.parser, tsx: true }, transform: { ...compile.jsc.transform, react: { runtime: 'automatic' } } } }] },
});

export default {
  projects: [...['unit', 'architecture', 'conformance', 'integration', 'workflows', 'compat', 'e2e', 'browser'].map((name) => level(name)), sdk],
  // More than there are processors: most of what takes long waits for a service.
  maxWorkers: Math.max(2, Math.ceil(1.5 * availableParallelism())),
  testSequencer: '<rootDir>/tools/longest-first.mjs',
};
