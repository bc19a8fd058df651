import { useEffect, useRef, type ReactElement, type ReactNode, type SubmitEvent } from 'react';
import { InstitutionBadge } from '../controls/institution-badge.js';
import { PrimaryButton } from '../controls/primary-button.js';
import { warning } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';
import type { Institution } from '../../../../packages/connect-protocol/src/view.js';
import { useConnect } from '../context/connect-context.js';
import { useRefusal } from '../context/use-refusal.js';
import { WaitingSentence } from '../context/waiting-sentence.js';

interface ScreenProps {
  title: string;
  subtitle?: ReactNode;
  /** The bank of the screen; the chosen one unless a screen sets another. */
  institution?: Institution | null;
  children?: ReactNode;
  /** One primary action, at the bottom, always in the same place. */
  primary?: { label: ReactNode; onPress: () => void };
  /** Further actions, above the primary one. */
  secondary?: ReactNode;
  note?: ReactNode;
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
  focus = 'heading',
  className = '',
}: ScreenProps): ReactElement {
  const { state } = useConnect();
  const bank = institution === undefined ? (state.view?.institution ?? null) : institution;
  const heading = useRef<HTMLHeadingElement>(null);
  const refusal = useRefusal();
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
        {children}
        {refusal !== null && (
          <p className="refusal">
            <Icon shape={warning} size={18} />
            {refusal}
          </p>
        )}
      </div>
      {(primary !== undefined || secondary !== undefined || note !== undefined) && (
        <div className="screen-actions">
          <WaitingSentence />
          {secondary !== undefined && <div className="secondary">{secondary}</div>}
          {primary !== undefined && <PrimaryButton>{primary.label}</PrimaryButton>}
          {(primary !== undefined || note !== undefined) && <p className="note">{note}</p>}
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
