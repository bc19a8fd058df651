import { useState, type ReactElement } from 'react';
import { TEXTS } from '../texts.js';
import { cutText } from './cut-text.js';
import classes from './foreign-text.module.css';

/** A text of a bank, a user or an operator: shown as text, with its direction kept inside of it. */
export function ForeignText({
  text,
  canGrow = true,
}: {
  text: string;
  /** False in a row, where a button would be too much. */
  canGrow?: boolean;
}): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const cut = cutText(text);
  if (cut === null) return <bdi className={classes.text}>{text}</bdi>;
  return (
    <>
      <bdi className={classes.text}>{isWhole ? text : `${cut}…`}</bdi>
      {canGrow && (
        <button type="button" className={classes.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? TEXTS.showLess : TEXTS.showAll([...text].length)}
        </button>
      )}
    </>
  );
}
