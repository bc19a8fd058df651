/** A phone asked for a return to somewhere else than its app. */
export class WrongReturnAddress extends Error {
  constructor() {
    super(
      'redirectUri must be an address of the phone app: pocketledger:// or, in Expo Go, exp://.',
    );
  }
}

/** An app in Expo Go has the address of its development server: `exp://192.168.1.20:8081/--/bank-return`. */
const OF_PHONE_APP = /^(?:exp|pocketledger):\/\/\S+$/;

/**
 * Where the bank returns to: a page of this server, or what a phone app says, which only the app itself knows.
 * No other address, or the return of a login could be sent anywhere.
 * @param {{ page?: string, redirectUri?: unknown, origin: string }} request
 * @throws WrongReturnAddress
 */
export function returnAddress({ page, redirectUri, origin }) {
  if (redirectUri === undefined) return `${origin}${page === 'react' ? '/react' : ''}/bank-return`;
  if (typeof redirectUri !== 'string' || !OF_PHONE_APP.test(redirectUri))
    throw new WrongReturnAddress();
  return redirectUri;
}
