import { buildReactNative, REACT_NATIVE, swiftDriver } from './flow-drivers.js';
import { journeysWith } from './support/oauth-journeys.js';
import { describeWithSwift } from './with-swift.js';

describe('The SDK for React Native', () => {
  beforeAll(async () => {
    expect(await buildReactNative()).toBe(true);
  });
  journeysWith(() => REACT_NATIVE);
});

describeWithSwift('The Swift SDK', (swift) => journeysWith(() => swiftDriver(swift)));
