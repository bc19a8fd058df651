import type { Page } from 'playwright-core';
import type { ScriptedSession } from './scripted-session.js';
import { CHANNEL, newContext, type Stage } from './stage.js';

/** Opens the hosted page, which needs no page of the app, with a query or a fragment. */
export async function visitHostedPage(
  stage: Stage,
  session: ScriptedSession,
  rest: string,
): Promise<Page> {
  stage.play(session);
  const page = await (await newContext(stage.browser)).newPage();
  await page.goto(`${stage.connect.origin}/connect/hosted${rest}`);
  return page;
}

/** Sends a message to Connect in a WebView, as the SDK around it does. */
export function receive(page: Page, message: unknown): Promise<void> {
  return page.evaluate((sent) => {
    (window as unknown as { __connectReceive: (message: unknown) => void }).__connectReceive(sent);
  }, message);
}

export const envelope = (type: string, payload: object, channel = CHANNEL) => ({
  ns: 'connect',
  v: 1,
  channel,
  type,
  payload,
});
