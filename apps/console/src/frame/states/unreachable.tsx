import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type { CallFailed } from '../../data/call-failed.js';
import { Command } from '../command.js';
import { TEXTS } from '../texts.js';
import css from './unreachable.module.css';

/** In place of the whole page: there is no sign-in while the console or its database is down. */
export function Unreachable({
  failure,
  again,
}: {
  failure: CallFailed;
  again: () => void;
}): ReactElement {
  return (
    <main className={css.page}>
      <h1>{TEXTS.unreachableTitle}</h1>
      <p className="muted">{failure.message}</p>
      <p className="muted">{TEXTS.unreachable}</p>
      <Command text="curl -i http://127.0.0.1:3000/health/ready" />
      <Button onClick={again}>{TEXTS.retry}</Button>
    </main>
  );
}
