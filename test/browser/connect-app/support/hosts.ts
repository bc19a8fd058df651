import type { Page } from 'playwright-core';
import { pressToOpen } from '../../../support/actors/hosted-page.js';
import type { ScriptedSession } from './scripted-session.js';
import { CHANNEL, newContext, type Stage } from './stage.js';

/** Opens the hosted page, which needs no page of the app, with a query or a fragment. */
export async function visitHostedPage(
  stage: Stage,
  session: ScriptedSession,
  rest: string,
): Promise<Page> {
  const page = await arriveAtHostedPage(stage, session, rest);
  if (rest.startsWith('#token=')) await pressToOpen(page);
  return page;
}

/** Loads the hosted page, and presses nothing. */
export async function arriveAtHostedPage(
  stage: Stage,
  session: ScriptedSession,
  rest: string,
  given?: Page,
): Promise<Page> {
  stage.play(session);
  const page = given ?? (await (await newContext(stage.browser)).newPage());
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
