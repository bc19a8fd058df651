import { fileURLToPath } from 'node:url';
import { buildPackages } from '../../../tools/build-packages.mjs';
import { holdsTheBehaviors } from './behaviors.js';

beforeAll(async () => {
  expect(await buildPackages({ quiet: true })).toBe(true);
});

holdsTheBehaviors('The Node client', () => ({
  command: process.execPath,
  args: [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('drivers/node-driver.mjs', import.meta.url)),
  ],
}));
