import { buildNative } from '../test/native/native-level.mjs';

// node tools/build-native.mjs
// Installs and builds packages/connect-react-native, for an app that installs it from here.
process.exitCode = (await buildNative()) ? 0 : 1;
