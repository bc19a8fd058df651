import type { CSSProperties, ReactElement } from 'react';
import type { Institution } from '../session/view.js';
import { useConnect } from '../context/connect-context.js';
import { buttonInColorOf } from '../theme/institution-color.js';

/** The bank's logo, or its first letter on its color. Decorative: the name is always beside it. */
export function InstitutionLogo({
  institution: { name, color, color_dark: dark, logo_url: logo },
  size,
}: {
  institution: Institution;
  size: number;
}): ReactElement {
  const { appearance } = useConnect();
  if (logo !== null && /^(https:|data:image\/)/.test(logo))
    return <img className="logo" src={logo} width={size} height={size} alt="" />;
  const own = buttonInColorOf(appearance === 'dark' ? (dark ?? color) : color);
  const style = {
    '--logo-size': `${size}px`,
    ...(own === null ? {} : { '--logo-background': own.background, '--logo-text': own.text }),
  } as CSSProperties;
  return (
    <span className="logo monogram" style={style} aria-hidden="true">
      {[...name.trim()][0] ?? ''}
    </span>
  );
}
