import { useEffect, useRef, type ReactElement, type ReactNode, type SubmitEvent } from 'react';
import { ErrorText } from '../controls/error-text.js';
import { InstitutionBadge } from '../controls/institution-badge.js';
import { PrimaryButton } from '../controls/primary-button.js';
import { StepNotice } from '../controls/step-notice.js';
import type { Institution } from '../../../../packages/connect-protocol/src/view.js';
import { useConnect } from '../context/connect-context.js';
import { useRefusal, useStepNotice } from '../context/use-refusal.js';
import { useWaitingSentence } from '../context/waiting-sentence.js';

interface ScreenProps {
  title: string;
  subtitle?: ReactNode;
  /** The bank of the screen; the chosen one unless a screen sets another. */
  institution?: Institution | null;
  children?: ReactNode;
  /** One primary action, at the bottom, always in the same place. */
  primary?: { label: ReactNode; onPress: () => void };
  /** Further actions; they scroll with the text. */
  secondary?: ReactNode;
  note?: ReactNode;
  /** False: the screen shows the subject of a wait itself. */
  tellsWait?: boolean;
  /** The focused element; the heading unless a screen sets another. */
  focus?: 'heading' | 'own';
  className?: string;
}

/** One question: its sender, its text, and the actions of the user. */
export function Screen({
  title,
  subtitle,
  institution,
  children,
  primary,
  secondary,
  note,
  tellsWait = true,
  focus = 'heading',
  className = '',
}: ScreenProps): ReactElement {
  const { state } = useConnect();
  const bank = institution === undefined ? (state.view?.institution ?? null) : institution;
  const heading = useRef<HTMLHeadingElement>(null);
  const refusal = useRefusal();
  const notice = useStepNotice();
  const sentence = useWaitingSentence();
  const wait = tellsWait ? sentence : '';
  const end = useRef<HTMLDivElement>(null);
  useScrollEdge(end);
  useEffect(() => {
    if (focus === 'heading') heading.current?.focus({ preventScroll: true });
  }, [focus]);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!state.sending) primary?.onPress();
  };
  const body = (
    <>
      <div className="screen-body">
        {bank !== null && <InstitutionBadge institution={bank} />}
        <h1 id="screen-title" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && (
          <p className="subtitle" id="screen-subtitle">
            {subtitle}
          </p>
        )}
        {notice !== null && <StepNotice>{notice}</StepNotice>}
        {children}
        {refusal !== null && <ErrorText id="refusal">{refusal}</ErrorText>}
        {secondary !== undefined && <div className="secondary">{secondary}</div>}
        <div className="body-end" ref={end} />
      </div>
      <div className="screen-edge" aria-hidden="true" />
      {(primary !== undefined || note !== undefined || wait !== '') && (
        <div className="screen-actions">
          {primary !== undefined && <PrimaryButton>{primary.label}</PrimaryButton>}
          {wait === '' ? (
            <p className="note">{note}</p>
          ) : (
            <p className="note waiting" aria-hidden="true">
              {wait}
            </p>
          )}
        </div>
      )}
    </>
  );
  const classes = `screen ${className}`;
  return primary === undefined ? (
    <div className={classes}>{body}</div>
  ) : (
    <form className={classes} noValidate onSubmit={onSubmit} aria-labelledby="screen-title">
      {body}
    </form>
  );
}

/** Marks the screen while a part of its text is below the edge, so that the edge shows it. */
function useScrollEdge(end: { current: HTMLElement | null }): void {
  useEffect(() => {
    const body = end.current?.parentElement;
    if (end.current === null || body == null) return;
    const observer = new IntersectionObserver(
      ([entry]) =>
        body.parentElement?.toggleAttribute('data-more', entry?.isIntersecting === false),
      { root: body },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end]);
}
