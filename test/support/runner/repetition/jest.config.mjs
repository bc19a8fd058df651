/** As the project `node` of the root, for the files in this folder alone. */
export default {
  rootDir: import.meta.dirname,
  runner: '../light-runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/../guard.ts'],
  testMatch: ['<rootDir>/*.test.ts'],
};
