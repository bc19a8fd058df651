import { buildReactNative, REACT_NATIVE } from './flow-drivers.js';
import { journeysWith } from './support/oauth-journeys.js';

// oauth-journey.long.test.ts has the Swift SDK.
describe('The SDK for React Native', () => {
  beforeAll(async () => {
    expect(await buildReactNative()).toBe(true);
  });
  journeysWith(() => REACT_NATIVE);
});
