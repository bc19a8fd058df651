/** A phone requested a return to an address outside its app. */
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
 * The return address of the bank: a page of this server, or the address of a phone app, which only the app itself knows.
 * All others are refused, or the return of a login could be sent anywhere.
 * @param {{ page?: string, redirectUri?: unknown, origin: string }} request
 * @throws WrongReturnAddress
 */
export function returnAddress({ page, redirectUri, origin }) {
  if (redirectUri === undefined) return `${origin}${page === 'react' ? '/react' : ''}/bank-return`;
  if (typeof redirectUri !== 'string' || !OF_PHONE_APP.test(redirectUri))
    throw new WrongReturnAddress();
  return redirectUri;
}
