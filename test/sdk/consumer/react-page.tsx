// Compiled, never run: code that an app with connect-react may contain, and code that it may not.
import {
  ConnectButton,
  OAuthReturn,
  useConnect,
  type ConnectStatus,
  type UseConnectResult,
} from '@tributary/connect-react';
import { useRef, type ReactNode } from 'react';

const common = {
  connectBaseUrl: 'https://api.example/connect',
  onSuccess: () => undefined,
  onExit: () => undefined,
};

export function LinkPage({ token }: { token: string | null }): ReactNode {
  const { open, exit, ready, error, status }: UseConnectResult = useConnect({
    ...common,
    linkSessionToken: token,
    theme: { colors: { accent: 'teal' } },
  });
  const button = useRef<HTMLButtonElement>(null);
  const shown: ConnectStatus = status;
  return (
    <>
      <button disabled={!ready} onClick={open}>
        {error?.displayed_message ?? shown}
      </button>
      <button onClick={() => exit({ force: true })}>Stop</button>
      <ConnectButton
        {...common}
        linkSessionToken={token}
        ref={button}
        className="primary"
        aria-describedby="why"
        onClick={(event) => event.preventDefault()}
      >
        Link a bank
      </ConnectButton>
      {/* @ts-expect-error the token is required, even if only as null */}
      <ConnectButton {...common}>Link a bank</ConnectButton>
    </>
  );
}

export const ReturnPage = (): ReactNode => (
  <OAuthReturn {...common} linkSessionToken={null} handedOver={<p>Done</p>}>
    One moment
  </OAuthReturn>
);
