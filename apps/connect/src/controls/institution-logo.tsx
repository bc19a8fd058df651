import { useState, type CSSProperties, type ReactElement } from 'react';
import type { Institution } from '../../../../packages/connect-protocol/src/view.js';
import { useConnect } from '../context/connect-context.js';
import { apiBase } from '../session/api-base.js';
import { buttonInColorOf } from '../theme/institution-color.js';

/** The service's copies of logos. No bank or source learns who looks at its name. */
const isOurs = (address: string): boolean => address.startsWith(`${new URL(apiBase()).origin}/`);

/** The bank's logo, or its first letter on its color where there is none or it does not load. Decorative: the name is always beside it. */
export function InstitutionLogo({
  institution: { name, color, color_dark: dark, logo_url: logo },
  size,
}: {
  institution: Institution;
  size: number;
}): ReactElement {
  const { appearance } = useConnect();
  const [broken, setBroken] = useState('');
  const length = `${size / 16}rem`;
  if (logo && logo !== broken && isOurs(logo))
    return (
      <img
        className="logo"
        src={logo}
        style={{ width: length, height: length }}
        alt=""
        onError={() => setBroken(logo)}
      />
    );
  const own = buttonInColorOf(appearance === 'dark' ? (dark ?? color) : color);
  const style = {
    '--logo-size': length,
    ...(own === null ? {} : { '--logo-background': own.background, '--logo-text': own.text }),
  } as CSSProperties;
  return (
    <span className="logo monogram" style={style} aria-hidden="true">
      {[...name.trim()][0] ?? ''}
    </span>
  );
}
