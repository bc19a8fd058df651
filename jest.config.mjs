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

/** One Jest project per level of the test pyramid; each runs by `npm run test:<level>`. */
const level = (displayName, extra = {}) => ({
  ...shared,
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  ...extra,
});

export default {
  projects: ['unit', 'architecture', 'conformance', 'integration', 'workflows', 'e2e'].map((name) => level(name)),
  maxWorkers: 2,
};
