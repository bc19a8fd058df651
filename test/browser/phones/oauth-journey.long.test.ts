import { swiftDriver } from './flow-drivers.js';
import { journeysWith } from './support/oauth-journeys.js';
import { describeWithSwift } from './with-swift.js';

describeWithSwift('The Swift SDK', (swift) => journeysWith(() => swiftDriver(swift)));
