import { useEffect, useState, type ReactElement } from 'react';
import { Icon } from '../../frame/icons.js';
import { announce } from './announce.js';
import { TEXTS } from '../texts.js';
import classes from './copy-button.module.css';

const SHOWN_MS = 2_000;

/** Copies a text and says so, also to a screen reader. */
export function CopyButton({
  text,
  label,
  word,
}: {
  text: string;
  label: string;
  /** A word beside the icon. */
  word?: string;
}): ReactElement {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const onClick = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce(TEXTS.copied);
    } catch {
      announce(TEXTS.notCopied);
    }
  };
  return (
    <button
      type="button"
      className={word === undefined ? classes.icon : classes.worded}
      aria-label={label}
      title={isCopied ? TEXTS.copied : label}
      data-copied={isCopied || undefined}
      onClick={() => void onClick()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
      {word !== undefined && <span>{isCopied ? TEXTS.copied : word}</span>}
    </button>
  );
}
