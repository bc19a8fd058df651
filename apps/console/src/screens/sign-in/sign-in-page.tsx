import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useChange } from '../../data/use-change.js';
import { useRead } from '../../data/use-read.js';
import { useSignal } from '../../data/use-signal.js';
import { signInCode } from '../../frame/sign-in/code-of-address.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { CodeOffer } from './code-offer.js';
import { HowToGetALink } from './how-to-get-a-link.js';
import { SignInFrame } from './sign-in-frame.js';
import { TEXTS } from './texts.js';

/** With the code of a link: who it signs in, and a button. Without: the ways to get in. */
export default function SignInPage(): ReactElement {
  const code = useSignal(signInCode);
  return code === null ? <WaysIn /> : <CodeOffer key={code} code={code} />;
}

function WaysIn(): ReactElement {
  const { data: options } = useRead<{ oidc: boolean }>('/session/options');
  return (
    <SignInFrame title={options?.oidc === true ? TEXTS.title : TEXTS.needLink}>
      {options?.oidc === true && (
        <>
          <ProviderButton />
          <h2>{TEXTS.or}</h2>
        </>
      )}
      <HowToGetALink />
    </SignInFrame>
  );
}

function ProviderButton(): ReactElement {
  const { send, isSending, failure } = useChange<{ url: string }>();
  const start = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: '/session/oidc/start', body: {} });
    if (sent !== undefined) window.location.assign(sent.answer.url);
  };
  return (
    <>
      <FailureText failure={failure} />
      <Button loading={isSending} onClick={() => void start()}>
        {TEXTS.withProvider}
      </Button>
    </>
  );
}
