import { Button, Group } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { asFailure } from '../../data/call-failed.js';
import { change } from '../../data/call.js';
import { recentSignIn } from '../../data/recent-sign-in.js';
import { sessionHalf } from '../../data/session-half.js';
import { useSession } from '../../data/session.js';
import { useSignal } from '../../data/use-signal.js';
import { Dialog } from '../dialog/dialog.js';
import { Command } from '../command.js';
import { TEXTS } from '../texts.js';
import { signInCommand } from './commands.js';

/** Over whatever was typed, which stays: asks for a sign-in of the last ten minutes, then repeats the call. */
export function RecentSignInDialog(): ReactElement | null {
  const { actor, role, apps } = useSession();
  const request = useSignal(recentSignIn);
  const [failure, setFailure] = useState<string | null>(null);
  // Signing in again in another tab is enough; the button is for browsers that do not say so.
  useEffect(() => {
    setFailure(null);
    return request === null ? undefined : sessionHalf.onOtherSignIn(request.repeat);
  }, [request]);
  const isByLink = actor.startsWith('link:');
  const signInAgain = async (): Promise<void> => {
    try {
      const { url } = await change<{ url: string }>({
        method: 'POST',
        path: '/session/oidc/start',
        body: { recent: true },
      });
      window.open(url, '_blank', 'noopener');
    } catch (error) {
      setFailure(asFailure(error).message);
    }
  };
  if (request === null) return null;
  return (
    <Dialog onClose={request.giveUp} title={TEXTS.recentTitle}>
      <>
        <p>{isByLink ? TEXTS.recent : TEXTS.recentOidc}</p>
        {isByLink ? (
          <Command
            text={signInCommand({ role, app: apps[0]?.app_id, label: actor.slice('link:'.length) })}
          />
        ) : (
          <Button onClick={() => void signInAgain()}>{TEXTS.recentOidcButton}</Button>
        )}
        {failure !== null && <p role="alert">{failure}</p>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={request.giveUp}>
            {TEXTS.cancel}
          </Button>
          <Button variant={isByLink ? 'filled' : 'default'} onClick={request.repeat}>
            {TEXTS.recentRepeat}
          </Button>
        </Group>
      </>
    </Dialog>
  );
}
