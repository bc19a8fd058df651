import { useId, useState, type KeyboardEvent, type ReactElement } from 'react';
import { CopyButton } from '../copy/copy-button.js';
import { TEXTS } from '../texts.js';
import { callText, LANGUAGE_NAMES, LANGUAGES, type ApiCall, type Language } from './call-text.js';
import classes from './call.module.css';

/** A call as curl, Node and Python. */
export function Call({ call, baseUrl }: { call: ApiCall; baseUrl: string }): ReactElement {
  const [language, setLanguage] = useState<Language>('curl');
  const id = useId();
  const text = callText(call, language, baseUrl);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = LANGUAGES.indexOf(language) + step + LANGUAGES.length;
    const next = LANGUAGES[index % LANGUAGES.length] ?? 'curl';
    setLanguage(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <section
      className={classes.call}
      aria-label={[`${TEXTS.sameCall}:`, call.operation, ...call.values].join(' ')}
    >
      <div className={classes.head}>
        <div
          role="tablist"
          aria-label={TEXTS.sameCall}
          className={classes.tabs}
          onKeyDown={onKeyDown}
        >
          {LANGUAGES.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === language}
              aria-controls={`${id}-text`}
              tabIndex={name === language ? 0 : -1}
              onClick={() => setLanguage(name)}
            >
              {LANGUAGE_NAMES[name]}
            </button>
          ))}
        </div>
        <CopyButton text={text} label={`Copy as ${LANGUAGE_NAMES[language]}`} word="Copy" />
      </div>
      <pre
        className={classes.text}
        id={`${id}-text`}
        role="tabpanel"
        aria-labelledby={`${id}-${language}`}
        tabIndex={0}
      >
        {text}
      </pre>
    </section>
  );
}

/** A command or a text to copy, as it is. */
export function CodeBlock({ text, name }: { text: string; name: string }): ReactElement {
  return (
    <div className={classes.call}>
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        <CopyButton text={text} label={`Copy ${name}`} word="Copy" />
      </div>
      <pre className={classes.text} tabIndex={0} role="region" aria-label={name}>
        {text}
      </pre>
    </div>
  );
}
