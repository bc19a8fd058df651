import { useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react';
import type { LinkSessionsExchangeTokenResult } from '../../../../../clients/node/src/generated/types.js';
import { createConnect } from '../../../../../packages/connect-js/src/index.js';
import { useSession } from '../../data/session.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn, placeIn } from '../../frame/address.js';
import { PlaceLink } from '../../frame/place-link.js';
import type { Context } from '../../frame/screen.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Card } from '../../parts/page/page-parts.js';
import { Time } from '../../parts/time/time.js';
import { styleNonce } from '../../theme/nonce.js';
import { withoutTokens } from './without-tokens.js';
import classes from './sandbox.module.css';
import { TEXTS } from './texts.js';

/** One session in the frame: a new one by its token, or one whose bank has returned to this page. */
export type Trial = { token: string; sessionId: string } | { returned: string };

interface Entry {
  at: string;
  name: string;
  payload?: unknown;
}

/** Connect in the page, through the SDK for the web, as an app would open it. */
export function ConnectTrial({ context, trial }: { context: Context; trial: Trial }): ReactElement {
  const { connect_base_url: connectBaseUrl } = useSession();
  const whole = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const [log, setLog] = useState<readonly Entry[]>([]);
  const [isOver, setIsOver] = useState(false);
  const [linkId, setLinkId] = useState<string | null>(null);
  const { send, failure } = useChange<LinkSessionsExchangeTokenResult>();
  const note = (name: string, payload?: unknown): void =>
    setLog((before) => [...before, { at: new Date().toISOString(), name, payload }]);

  const exchange = useEffectEvent(async (token: string): Promise<void> => {
    note('POST /link-session/exchange-token');
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, '/link-session/exchange-token'),
      body: { exchangeable_token: token },
    });
    if (sent === undefined) return;
    const { link_id, link } = sent.answer;
    note('201', { link_id, state: link.state });
    setLinkId(link_id);
  });

  const begin = useEffectEvent((container: HTMLElement) => {
    const nonce = styleNonce();
    const connect = createConnect({
      connectBaseUrl,
      container,
      ...(nonce === undefined ? {} : { nonce }),
      closeOnSuccess: false,
      onReady: () => note('onReady'),
      onEvent: ({ name, properties }) => note(`onEvent ${name}`, properties),
      onError: (error) => note('onError', error),
      onExit: (exit) => {
        note('onExit', exit);
        setIsOver(true);
      },
      onSuccess: (success) => {
        note('onSuccess', success);
        setIsOver(true);
        const token =
          success.mode === 'link' ? success.exchangeable_token : success.confirmation_token;
        if (token !== undefined) void exchange(token);
      },
    });
    if ('token' in trial) {
      note('POST /link-session', { session_id: trial.sessionId });
      connect.open({ linkSessionToken: trial.token });
    } else connect.continue({ url: trial.returned });
    return connect;
  });

  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [log]);

  useEffect(() => {
    if (room.current === null) return;
    whole.current?.scrollIntoView({ block: 'start' });
    const connect = begin(room.current);
    return () => connect.destroy();
  }, []);

  return (
    <div className={classes.trial} ref={whole}>
      <Card title={TEXTS.frame} isFlush>
        <div className={classes.room} ref={room}>
          {/* Below the frame, so that it is seen once that is gone. */}
          <p className={classes.over}>{isOver && TEXTS.frameOver}</p>
        </div>
      </Card>
      <Card title={TEXTS.log} isFlush>
        <ol className={classes.log} ref={list} tabIndex={0} aria-live="polite">
          {log.map(({ at, name, payload }, index) => (
            // oxlint-disable-next-line no-array-index-key -- entries are only added, at the end
            <li key={index}>
              <Time at={at} form="clock" inRow /> <b>{name}</b>
              {payload !== undefined && <pre tabIndex={0}>{withoutTokens(payload)}</pre>}
            </li>
          ))}
        </ol>
        <FailureText failure={failure} />
        {linkId !== null && (
          <p className={classes.none}>
            <PlaceLink href={placeIn(context, `/links/${encodeURIComponent(linkId)}`)}>
              {TEXTS.openLink}
            </PlaceLink>{' '}
            ·{' '}
            <PlaceLink href={placeIn(context, `/webhooks?link_id=${encodeURIComponent(linkId)}`)}>
              {TEXTS.openEvents}
            </PlaceLink>
          </p>
        )}
      </Card>
    </div>
  );
}
