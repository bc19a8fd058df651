import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { useConnect } from '../context/connect-context.js';
import { buttonInColorOf } from '../theme/institution-color.js';

/**
 * The one action of a screen. While a call is in progress it ignores a second press but keeps the
 * focus.
 */
export function PrimaryButton({ children }: { children: ReactNode }): ReactElement {
  const { state, theme, appearance } = useConnect();
  const institution = state.view?.institution ?? null;
  const own =
    theme.useInstitutionColor && institution !== null
      ? buttonInColorOf(
          appearance === 'dark' ? (institution.color_dark ?? institution.color) : institution.color,
        )
      : null;
  const style =
    own === null
      ? undefined
      : ({ '--button-background': own.background, '--button-text': own.text } as CSSProperties);
  return (
    <button type="submit" className="primary" aria-disabled={state.sending} style={style}>
      {children}
    </button>
  );
}
