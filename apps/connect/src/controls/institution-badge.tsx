import type { CSSProperties, ReactElement } from 'react';
import type { Institution } from '../../../../packages/connect-protocol/src/view.js';
import { useConnect } from '../context/connect-context.js';
import { InstitutionLogo } from './institution-logo.js';

/** Shows the bank of the session. */
export function InstitutionBadge({ institution }: { institution: Institution }): ReactElement {
  const { appearance } = useConnect();
  const { name, logo_url: logo } = institution;
  const color =
    appearance === 'dark' ? (institution.color_dark ?? institution.color) : institution.color;
  return (
    <p className="badge">
      {logo === null ? (
        <span
          className="dot"
          style={{ '--dot-color': color ?? undefined } as CSSProperties}
          aria-hidden="true"
        />
      ) : (
        <InstitutionLogo institution={institution} size={20} />
      )}
      <bdi>{name}</bdi>
    </p>
  );
}
