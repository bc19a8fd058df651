import { Button } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { Reading } from '../../data/use-read.js';
import { Icon } from '../icons.js';
import { TEXTS } from '../texts.js';
import { LoadingRows } from './loading-rows.js';
import { ageOf } from './age-of.js';
import { StateText } from './state-text.js';
import css from './states.module.css';

interface ShownProps<Answer> {
  of: Reading<Answer>;
  /** How many rows the answer usually has. */
  rows?: number;
  /** In place of the content where the answer has none. */
  empty?: ReactNode;
  isEmpty?: (answer: Answer) => boolean;
  /** In place of what the service says of something unknown or hidden. */
  missing?: string;
  children: (answer: Answer) => ReactNode;
}

/** The four states of an answer: loading, empty, failed or hidden; and the content, with its age once a later read failed. */
export function Shown<Answer>({
  of: reading,
  rows,
  empty,
  isEmpty,
  missing,
  children,
}: ShownProps<Answer>): ReactElement {
  const { data, failure } = reading;
  if (failure?.isMissing === true)
    return <StateText title={TEXTS.notFoundTitle}>{missing ?? failure.message}</StateText>;
  if (data === undefined)
    return failure === null ? <LoadingRows rows={rows} /> : <Failed of={reading} />;
  return (
    <>
      {failure !== null && (
        <div className={css.stale} role="status">
          <Icon name="warning" size={16} />
          {TEXTS.stale(ageOf(Date.now() - reading.readAt))}
          <Button size="compact-sm" variant="subtle" onClick={reading.again}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {empty !== undefined && isEmpty?.(data) === true ? empty : children(data)}
    </>
  );
}

function Failed<Answer>({ of: { failure, again } }: { of: Reading<Answer> }): ReactElement {
  return (
    <div role="alert">
      <StateText
        icon="warning"
        title={TEXTS.notRead}
        actions={
          <Button variant="default" onClick={again} leftSection={<Icon name="retry" size={16} />}>
            {TEXTS.retry}
          </Button>
        }
      >
        {failure?.message}
      </StateText>
    </div>
  );
}
