export { ConnectProvider } from './connect-provider.js';
export { ConnectView } from './connect-view.js';
export { useOAuthReturn } from './use-oauth-return.js';
export * from './exports-of-both.js';
