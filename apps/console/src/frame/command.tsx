import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactElement } from 'react';
import css from './command.module.css';
import { Icon } from './icons.js';
import { TEXTS } from './texts.js';

/** A command for a terminal, with a button that copies it. */
export function Command({ text, label }: { text: string; label?: string }): ReactElement {
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  return (
    <div className={css.command}>
      <code>
        {text.split(' ').map((word, index) => (
          // A command breaks between its words alone, not at hyphens.
          <span key={index}>
            {index > 0 && ' '}
            <span className={css.word}>{word}</span>
          </span>
        ))}
      </code>
      <Button
        className={css.copy}
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        onClick={() => copy(text)}
        aria-label={label === undefined ? undefined : `${TEXTS.copy}: ${label}`}
      >
        {copied ? TEXTS.copied : TEXTS.copy}
      </Button>
      <span role="status" className="visually-hidden">
        {copied ? TEXTS.copied : ''}
      </span>
    </div>
  );
}
