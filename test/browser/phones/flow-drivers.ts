import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildPackages } from '../../../tools/build-packages.mjs';
import { flowDriver } from '../../swift/swift-level.mjs';
import type { Swift } from '../../swift/swift.mjs';

/** The flow of one SDK as a program: one JSON input per line in, its effects out (packages/connect-vectors). */
export interface FlowDriver {
  start(): ChildProcessWithoutNullStreams;
  setup: object;
  /** The place where the hosted app finds the SDK. */
  bridge: 'webkit' | 'ReactNativeWebView';
}

const PROGRAM = fileURLToPath(
  new URL('../../../packages/connect-react-native/driver.mjs', import.meta.url),
);

export const REACT_NATIVE: FlowDriver = {
  start: () => spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM]),
  setup: {
    platform: 'react-native',
    system: 'android',
    system_version: null,
    sdk: { name: 'connect-react-native', version: '0.1.0' },
  },
  bridge: 'ReactNativeWebView',
};

/** The settings that the program of React Native needs. */
export const buildReactNative = () => buildPackages({ quiet: true });

export const swiftDriver = (swift: Swift): FlowDriver => ({
  start() {
    const [file, args, options] = flowDriver(swift);
    return spawn(file, args, options);
  },
  setup: { platform: 'ios', system: 'ios', system_version: '18.1' },
  bridge: 'webkit',
});
