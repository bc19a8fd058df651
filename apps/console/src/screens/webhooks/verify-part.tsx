import { Button } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { withoutTrailingSlashes } from '../../../../../packages/connect-js/src/without-trailing-slashes.js';
import type { WebhooksListKeysResult } from '../../../../../clients/node/src/generated/types.js';
import type { EventRequest } from '../../../../console-server/src/operations/webhooks/webhook-answers.js';
import { useSession } from '../../data/session.js';
import { useRead } from '../../data/use-read.js';
import { nativeIn } from '../../frame/address.js';
import { MarkDoneHere } from '../../frame/done-here.js';
import { Icon } from '../../frame/icons.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { announce } from '../../parts/copy/announce.js';
import { Stack } from '../../parts/page/page-parts.js';
import { requestPath } from './request-part.js';
import { TEXTS } from './texts.js';
import { verifyRequest, type Step } from './verify-request.js';
import classes from './webhooks.module.css';

/** The steps of a receiver, made in this browser. */
export function VerifyPart({
  context,
  eventId,
}: {
  context: Context;
  eventId: string;
}): ReactElement {
  const request = useRead<EventRequest>(requestPath(context, eventId));
  const keys = useRead<WebhooksListKeysResult>(nativeIn(context, '/.well-known/jwks.json'));
  return (
    <Shown of={request} rows={9}>
      {(signed) => (
        <Stack>
          <p className="muted">
            {TEXTS.verifyHint}
            {signed.hides_tokens && ` ${TEXTS.tokensHidden}`}
          </p>
          {'plaid-verification' in signed.headers ? (
            <p>{TEXTS.plaidFormat}</p>
          ) : (
            <Shown of={keys} rows={9}>
              {({ keys: known }) => (
                <Steps
                  context={context}
                  request={signed}
                  keys={known}
                  again={() => {
                    request.again();
                    keys.again();
                  }}
                />
              )}
            </Shown>
          )}
        </Stack>
      )}
    </Shown>
  );
}

function Steps({
  context: { app, env },
  request,
  keys,
  again,
}: {
  context: Context;
  request: EventRequest;
  keys: WebhooksListKeysResult['keys'];
  again: () => void;
}): ReactElement {
  const { base_url: baseUrl } = useSession();
  const [steps, setSteps] = useState<readonly Step[] | null>(null);
  // Browsers hide it from pages of plain http.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  useEffect(() => {
    if (subtle === undefined) return undefined;
    let isCurrent = true;
    const verify = async (): Promise<void> => {
      const done = await verifyRequest(
        { headers: request.headers, body: request.body, hidesTokens: request.hides_tokens },
        {
          keys,
          issuer: withoutTrailingSlashes(baseUrl),
          appId: app,
          environment: env,
          now: new Date(),
        },
        subtle,
      );
      if (!isCurrent) return;
      setSteps(done);
      const isRight = done.every(({ ok }) => ok !== false);
      announce(isRight ? TEXTS.verified : TEXTS.notVerified);
    };
    void verify();
    return () => {
      isCurrent = false;
    };
  }, [request, keys, baseUrl, app, env, subtle]);
  if (subtle === undefined) return <p>{TEXTS.noSubtle}</p>;
  if (steps === null) return <div className={classes.steps} aria-busy="true" />;
  const isRight = steps.every(({ ok }) => ok !== false);
  return (
    <>
      {isRight && <MarkDoneHere context={{ app, env }} step="verify" />}
      <p className={isRight ? classes.right : classes.wrong}>
        <Icon name={isRight ? 'ok' : 'error'} />
        {isRight ? TEXTS.verified : TEXTS.notVerified}
      </p>
      <ol className={classes.steps}>
        {steps.map(({ name, ok, detail }) => (
          <li key={name} data-ok={ok ?? undefined}>
            <Icon name={ok === null ? 'circle' : ok ? 'check' : 'close'} size={16} />
            <span>
              {TEXTS.steps[name]}
              {ok === null && <span className="muted"> ({TEXTS.skipped})</span>}
              {ok === false && <span className="visually-hidden"> (no)</span>}
            </span>
            {detail !== null && detail !== '' && (
              <code className={classes.detail}>
                <bdi>{detail}</bdi>
              </code>
            )}
          </li>
        ))}
      </ol>
      <div>
        <Button variant="default" onClick={again}>
          {TEXTS.verifyAgain}
        </Button>
      </div>
    </>
  );
}
