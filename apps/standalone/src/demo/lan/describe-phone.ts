import { ownAddresses } from './lan-address.js';

/** Printed before any port is open. */
export function warnOfNetwork(address: string): string {
  const others = ownAddresses().filter((own) => own !== address);
  return [
    `WARNING: with --lan everyone in the network of ${address} reaches the service, the sandbox bank and the sample`,
    'app, without encryption. Use it in a network you trust, with invented data only.\n',
    ...(others.length === 0
      ? []
      : [`Other addresses of this computer, for --address: ${others.join(', ')}\n`]),
  ].join('\n');
}

/** Commands for a phone with Expo Go. @param backEnd address of the sample app */
export function describePhone(connectBaseUrl: string, backEnd: string): string {
  return `
Link banks on a phone: install Expo Go on it, join the same network, and type here, in another terminal:

  node tools/build-native.mjs
  cd examples/connect-expo && npm ci
  EXPO_PUBLIC_CONNECT_BASE_URL=${connectBaseUrl} EXPO_PUBLIC_BACK_END_URL=${backEnd} npx expo start --clear

Then scan the code it shows. docs/connect-on-phones.md lists what to try. examples/connect-ios takes the same two addresses.
`;
}
