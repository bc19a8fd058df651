export { ConnectProvider } from './web/connect-provider.js';
export { ConnectView } from './web/connect-view.js';
export { useOAuthReturn } from './web/use-oauth-return.js';
export * from './exports-of-both.js';
