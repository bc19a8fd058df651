/** As the project `node` of the root, for the files in this folder alone. */
export default {
  rootDir: import.meta.dirname,
  runner: '../light-runner.mjs',
  testMatch: ['<rootDir>/*.test.ts'],
};
