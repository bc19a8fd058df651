import {
  presentLink,
  type LinkFacts,
  type LinkPresentation,
} from '../../../../domain/link/present-link.js';

/** The response of every list of accounts, as JSON fragments. Source: native-api 3.5. */
export function accountsResponse(
  accounts: readonly string[],
  link: LinkFacts,
  settings: LinkPresentation,
): string[] {
  return [
    '{"accounts":[',
    accounts.join(','),
    '],"link":',
    JSON.stringify(presentLink(link, settings)),
    '}',
  ];
}
