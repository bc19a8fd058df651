import type { ReactElement } from 'react';
import { Icon, type IconName } from '../../frame/icons.js';
import type { StateWords, Tone } from './states.js';
import classes from './state-mark.module.css';

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'ok',
  warning: 'warning',
  bad: 'error',
  waiting: 'clock',
  off: 'circle',
};

/** A state as icon and word, never by color alone. */
export function StateMark({ state: { tone, word } }: { state: StateWords }): ReactElement {
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon name={ICONS[tone]} size={16} />
      <span>{word}</span>
    </span>
  );
}
