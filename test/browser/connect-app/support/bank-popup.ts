import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ok, ScriptedSession, type Answer } from './scripted-session.js';
import { afterMessagesTo, type Opened, type Stage } from './stage.js';
import { CONSENT, OAUTH_BANK, REDIRECT } from './views.js';

export const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
export const STATE_HASH = createHash('sha256').update(STATE_ID).digest('base64url');
export const START = 'POST /session/oauth/start';
export const RETURN = 'POST /session/oauth/return';

/** A session at the step that starts the redirect to OAuth Bank. */
export function bankSession(
  { app }: Stage,
  redirectUri = `${app.origin}/bank-return`,
): ScriptedSession {
  const session = new ScriptedSession(REDIRECT, {
    institution: OAUTH_BANK,
    redirect_uri: redirectUri,
  });
  session.on(START, () => startOf({ app }, session));
  session.on(RETURN, () => ok(session.show(CONSENT)));
  return session;
}

/** The response to the start of the redirect. */
export function startOf({ app }: Pick<Stage, 'app'>, session: ScriptedSession): Answer {
  return ok({
    authorize_url: `${app.origin}/bank`,
    state_hash: STATE_HASH,
    expires_at: session.view.expires_at,
    view: session.show({ kind: 'redirect', started: true }),
  });
}

export async function goToBank({ frame, page }: Opened): Promise<Page> {
  const popup = page.context().waitForEvent('page');
  await frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
  const bank = await popup;
  await bank.waitForURL('**/bank');
  return bank;
}

export function handBack(bank: Page, target: string): Promise<void> {
  return bank.evaluate((to) => {
    (window as unknown as { handBack: (target: string) => void }).handBack(to);
  }, target);
}

/** After every message that the sender has posted. */
export async function expectStillWaiting(
  { frame }: Opened,
  session: ScriptedSession,
  sender: Parameters<typeof afterMessagesTo>[1],
): Promise<void> {
  await afterMessagesTo(frame, sender);
  expect(session.callsTo(RETURN)).toEqual([]);
  expect(await frame.getByRole('heading', { name: 'Finish in your bank’s window' }).count()).toBe(
    1,
  );
}
