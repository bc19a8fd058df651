'use client';
import { forwardRef, type ComponentPropsWithoutRef, type MouseEvent } from 'react';
import { useConnect, type UseConnectOptions } from './use-connect.js';

export type ConnectButtonProps = UseConnectOptions &
  Omit<ComponentPropsWithoutRef<'button'>, keyof UseConnectOptions>;

/**
 * A button that opens Connect; disabled until there is a token. Accepts the props of `<button>`.
 */
export const ConnectButton = forwardRef<HTMLButtonElement, ConnectButtonProps>(
  function ConnectButton(props, ref) {
    // The props besides the options of Connect belong to the button.
    const {
      linkSessionToken,
      connectBaseUrl,
      onSuccess,
      onExit,
      onEvent,
      onError,
      onReady,
      applicationName,
      theme,
      appearance,
      locale,
      container,
      zIndex,
      device,
      oauthWindow,
      closeOnSuccess,
      nonce,
      disabled,
      onClick,
      ...rest
    } = props;
    const { open, ready, status } = useConnect(props);
    const busy = status === 'opening' || status === 'open';
    const press = (event: MouseEvent<HTMLButtonElement>): void => {
      onClick?.(event);
      // Not disabled meanwhile: a disabled button could not receive the focus again.
      if (!event.defaultPrevented && !busy) open();
    };
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        {...rest}
        ref={ref}
        disabled={disabled === true || !ready}
        onClick={press}
      />
    );
  },
);
