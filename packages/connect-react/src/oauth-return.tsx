'use client';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useFlow, type FlowOptions } from './use-flow.js';

export interface OAuthReturnProps extends FlowOptions {
  /** The full URL of this page; default `location.href`. */
  url?: string;
  /** By default the token of the flow that this tab opened, see `continue` of connect-js. */
  linkSessionToken?: string | null;
  /** Shown while looking for the window that started, and behind Connect. */
  children?: ReactNode;
  /** Shown when the window that started continues and the browser does not close this one. */
  handedOver?: ReactNode;
}

/** Rendered on the page at `redirect_uri`: passes its URL to Connect, once. */
export function OAuthReturn({
  url,
  linkSessionToken = null,
  children = null,
  handedOver = 'You can close this window.',
  ...options
}: OAuthReturnProps): ReactNode {
  const { start } = useFlow(options);
  const [finished, setFinished] = useState(false);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    start((connect) =>
      connect.continue({
        url: url ?? window.location.href,
        ...(linkSessionToken === null ? {} : { linkSessionToken }),
        onHandedOver: () => setFinished(true),
      }),
    );
  }, [start, url, linkSessionToken]);
  return finished ? handedOver : children;
}
