import { Button } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { CallFailed } from '../../data/call-failed.js';
import { useSession } from '../../data/session.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { Call } from '../../parts/code/call.js';
import type { ApiCall } from '../../parts/code/call-text.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Card } from '../../parts/page/page-parts.js';
import classes from './sandbox.module.css';

/** A form whose effect is one call of the API, beside that call as code. */
export function CallForm({
  title,
  hint,
  action,
  call,
  isSending,
  failure,
  isReady = true,
  onSend,
  result,
  children,
}: {
  title: string;
  hint: string;
  action: string;
  call: ApiCall;
  isSending: boolean;
  failure: CallFailed | null;
  isReady?: boolean;
  onSend: () => void;
  /** Shown, and read aloud, once it was sent. */
  result: ReactNode;
  children: ReactNode;
}): ReactElement {
  const { base_url: baseUrl } = useSession();
  const mayChange = useMayChange();
  return (
    <Card title={title}>
      <div className={classes.callForm}>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady && !isSending) onSend();
          }}
        >
          <p className="muted">{hint}</p>
          {children}
          <FailureText failure={failure} />
          {mayChange && (
            <div>
              <Button type="submit" loading={isSending} disabled={!isReady}>
                {action}
              </Button>
            </div>
          )}
          <div role="status" className={classes.result}>
            {result}
          </div>
        </form>
        <Call call={call} baseUrl={baseUrl} />
      </div>
    </Card>
  );
}
