import type { AppBackEnd } from '../../../support/actors/link-journey.js';
import {
  arriveAtApp,
  chooseOAuthBank,
  decideAtBank,
  startRedirect,
  type OAuthVisit,
} from '../../../support/actors/oauth-journey.js';

/** A user who approved at the bank and has returned to the app's page. */
export async function backAtApp(
  app: AppBackEnd,
  fields: Record<string, unknown> = {},
): Promise<OAuthVisit & { address: string; callbackAddress: string }> {
  const opened = await chooseOAuthBank(app, fields);
  const callbackAddress = await decideAtBank((await startRedirect(opened.visit)).authorize_url);
  return { ...opened, callbackAddress, address: await arriveAtApp(callbackAddress) };
}
