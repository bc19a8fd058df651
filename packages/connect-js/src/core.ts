/**
 * The shared part of the SDKs of every platform, without a browser's interfaces. For the packages
 * of this repository: it may change with any version.
 */
export { checkToken, ConnectConfigurationError, readBaseAddress } from './configuration.js';
export { isSameOrigin, parseOrigin, type Origin } from './origin.js';
export { phoneInit, type PhoneInit } from './phone-init.js';
export { loadingTexts, type LoadingTexts } from './loading-texts.js';
export {
  readConnectError,
  readConnectEvent,
  readConnectExit,
  readConnectSuccess,
  readSession,
} from './read-payload.js';
export { callSafely, createReporter, type ConnectCallbacks, type Reporter } from './reporter.js';
export { readStateId } from './return-address.js';
export { frameTitle, frameUnavailable, oauthStateInvalid, popupBlocked } from './texts.js';
export type { Theme, ThemeColor, ThemeLength, ThemeText, ThemeTextStyle } from './theme.js';
export { version } from './generated/version.js';
export {
  isRecord,
  makeEnvelope,
  NO_CHANNEL,
  readEnvelope,
  type Envelope,
} from '../../connect-protocol/src/envelope.js';
export { readMessageText, receiveScript } from '../../connect-protocol/src/message-text.js';
export { stateHash } from '../../connect-protocol/src/state-hash.js';
export { refusesToken } from '../../connect-protocol/src/payloads.js';
export type {
  Appearance,
  InitOptions,
  InitPayload,
  Platform,
  SdkName,
} from '../../connect-protocol/src/init.js';
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
