import type { ReactElement } from 'react';
import { Command } from '../../frame/command.js';
import { signInCommand } from '../../frame/sign-in/commands.js';
import { TEXTS } from './texts.js';

/** The commands that print a one-time link. */
export function HowToGetALink(): ReactElement {
  return (
    <>
      <p>{TEXTS.howTo}</p>
      <Command text={signInCommand({ role: 'operator' })} label={TEXTS.forOperator} />
      <p className="muted">{TEXTS.howToOther}</p>
      <Command text={signInCommand({ role: 'app' })} label={TEXTS.forApp} />
    </>
  );
}
