export { createConnect, type Connect } from './connect.js';
export { ConnectConfigurationError } from './configuration.js';
export { version } from './generated/version.js';
export type { ConnectCallbacks } from './reporter.js';
export type { ConnectOptions, ConnectUpdate, ContinueRequest, OpenRequest } from './options.js';
export type {
  ConnectAccount,
  ConnectError,
  ConnectEvent,
  ConnectEventName,
  ConnectExit,
  ConnectExitReason,
  ConnectInstitution,
  ConnectLinkSuccess,
  ConnectRelinkSuccess,
  ConnectSuccess,
} from '../../connect-protocol/src/payloads.js';
export type { Appearance } from '../../connect-protocol/src/init.js';
export type { Theme, ThemeColor, ThemeLength, ThemeText, ThemeTextStyle } from './theme.js';
