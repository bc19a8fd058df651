import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useChange } from '../../data/use-change.js';
import { useBeginSession } from '../../frame/sign-in/use-begin-session.js';
import { LoadingRows } from '../../frame/states/loading-rows.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Facts } from '../../parts/page/page-parts.js';
import { useHolder } from './use-holder.js';
import { HowToGetALink } from './how-to-get-a-link.js';
import { SignInFrame } from './sign-in-frame.js';
import { TEXTS } from './texts.js';

/** The person whom a link signs in. Nothing happens without the button: a scanner that opens pages uses no link up. */
export function CodeOffer({ code }: { code: string }): ReactElement {
  const { holder, failure: unusable } = useHolder(code);
  const { send, isSending, failure } = useChange<{ session: string }>();
  const begin = useBeginSession();
  const signIn = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: '/session/code', body: { code } });
    if (sent !== undefined) begin(sent.answer.session);
  };
  const refused = failure ?? unusable;
  if (refused !== null)
    return (
      <SignInFrame title={TEXTS.needNewLink}>
        <FailureText failure={refused} />
        <HowToGetALink />
      </SignInFrame>
    );
  if (holder === null)
    return (
      <SignInFrame title={TEXTS.title}>
        <LoadingRows rows={2} />
      </SignInFrame>
    );
  const roles = holder.is_read_only ? TEXTS.rolesReadOnly : TEXTS.roles;
  return (
    <SignInFrame title={TEXTS.title}>
      <p>{TEXTS.offered}</p>
      <Facts
        facts={[
          [TEXTS.as, <bdi>{holder.label}</bdi>],
          [TEXTS.may, roles[holder.role]],
          ...(holder.app_id === null ? [] : [[TEXTS.app, holder.app_id] as const]),
        ]}
      />
      <Button loading={isSending} onClick={() => void signIn()}>
        {TEXTS.signIn}
      </Button>
    </SignInFrame>
  );
}
