export type {
  AuthSessionResult,
  ConnectLook,
  ConnectProviderProps,
  ConnectStatus,
  ContinueOptions,
  OpenAuthSession,
  PresentOptions,
} from './options.js';
export type { ConnectOutcome, PresentAsyncOptions } from './present-async.js';
export { useConnect, type UseConnectResult } from './use-connect.js';
export { version } from './version.js';
export { ConnectConfigurationError } from '@tributary/connect-js/core';
export type {
  Appearance,
  ConnectAccount,
  ConnectCallbacks,
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectInstitution,
  ConnectSuccess,
  Theme,
} from '@tributary/connect-js/core';
