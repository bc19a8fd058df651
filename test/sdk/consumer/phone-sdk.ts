// Compiled, never run, without the types of a browser: the parts of connect-js that an SDK for
// phones uses.
import {
  phoneInit,
  readMessageText,
  readStateId,
  receiveScript,
  type ConnectCallbacks,
  type InitPayload,
} from '@tributary/connect-js/core';

export const callbacks: ConnectCallbacks = { onSuccess: ({ accounts }) => accounts.length };
export const init: InitPayload = phoneInit({
  locale: 'en',
  platform: 'react-native',
  sdk: { name: 'phone-sdk', version: '1' },
});
const said = readMessageText('{}', 'channel');
export const script: string | undefined = said && receiveScript(said);
export const state: string | undefined = readStateId('app://return');

// @ts-expect-error a page has an SDK of its own
phoneInit({ locale: 'en', platform: 'web', sdk: { name: 'phone-sdk', version: '1' } });
