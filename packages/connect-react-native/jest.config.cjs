/** React Native's own Jest: its preset needs Jest 29 and exactly its React, so this folder has its own lockfile. */
module.exports = {
  preset: '@react-native/jest-preset',
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/test/**/*.test.tsx'],
  // Sources import as TypeScript's `nodenext` requires: by the name of the compiled file.
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^react-native-webview$': '<rootDir>/test/support/web-view.tsx',
  },
  // `@tributary/connect-js` is a link to the folder beside this one.
  modulePaths: ['<rootDir>/node_modules'],
  // The first test of a file compiles React Native, which is slow on a busy machine.
  testTimeout: Number(process.env.TEST_WITHIN_MS ?? 300_000),
  // The other levels run beside it.
  maxWorkers: 1,
};
