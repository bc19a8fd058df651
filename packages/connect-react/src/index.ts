export { ConnectButton, type ConnectButtonProps } from './connect-button.js';
export { OAuthReturn, type OAuthReturnProps } from './oauth-return.js';
export {
  useConnect,
  type ConnectStatus,
  type UseConnectOptions,
  type UseConnectResult,
} from './use-connect.js';
export { version } from './generated/version.js';
export type {
  Appearance,
  ConnectAccount,
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectInstitution,
  ConnectOptions,
  ConnectSuccess,
  Theme,
} from '@tributary/connect-js';
