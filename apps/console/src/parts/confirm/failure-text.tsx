import type { ReactElement } from 'react';
import type { CallFailed } from '../../data/call-failed.js';
import { Icon } from '../../frame/icons.js';
import { ForeignText } from '../foreign-text/foreign-text.js';
import classes from './confirm.module.css';

/** The reason why a change did not happen. Its place is read aloud when it fills. */
export function FailureText({ failure }: { failure: CallFailed | null }): ReactElement {
  return (
    <div role="alert" className={classes.failure}>
      {failure !== null && (
        <>
          <Icon name="error" size={16} />
          <span>
            <ForeignText text={failure.message} />
            {failure.fields.map(({ field, message }) => (
              <span key={`${field} ${message}`} className={classes.field}>
                <bdi>{field}</bdi>: <ForeignText text={message} />
              </span>
            ))}
          </span>
        </>
      )}
    </div>
  );
}
