import { useState, type ReactElement, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import type { CallFailed } from '../../data/call-failed.js';
import { Dialog } from '../../frame/dialog/dialog.js';
import { FailureText } from './failure-text.js';
import classes from './confirm.module.css';

/** A question before a change; what it does stands in its text and on its button. */
export function Confirm({
  title,
  action,
  isDanger = false,
  typed,
  isIncomplete = false,
  isSending,
  failure,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  action: string;
  isDanger?: boolean;
  /** A text that must be typed first. */
  typed?: string | undefined;
  /** Something that it needs is not chosen yet. */
  isIncomplete?: boolean;
  isSending: boolean;
  failure: CallFailed | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}): ReactElement {
  const [text, setText] = useState('');
  const isReady = !isIncomplete && (typed === undefined || text.trim() === typed);
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        className={classes.body}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isSending) onConfirm();
        }}
      >
        <div className={classes.text}>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={
              <>
                Type <bdi className={classes.typed}>{typed}</bdi> to confirm
              </>
            }
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <FailureText failure={failure} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => onClose()}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDanger ? 'danger' : undefined}
            disabled={!isReady}
            loading={isSending}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
