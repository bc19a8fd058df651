import type { ReactElement, ReactNode } from 'react';
import { arrow } from '../icons/bank-shapes.js';
import { Icon } from '../icons/icon.js';
import { useConnect } from '../context/connect-context.js';
import { InstitutionLogo } from './institution-logo.js';

/**
 * The app and the bank with the way between them: an arrow, or what happens there now. Decorative,
 * since the header and the heading have both names.
 */
export function AppAndBank({ children }: { children?: ReactNode }): ReactElement | null {
  const { state, texts, names } = useConnect();
  const { view } = state;
  if (view === null || view.institution === null) return null;
  const isKnown = names.app !== texts.get('the_app');
  return (
    <div className="app-and-bank" aria-hidden="true">
      <Party name={isKnown ? names.app : ''}>
        {view.app.logo_url === null ? (
          <span className="app-sign">{isKnown && [...names.app.trim()][0]}</span>
        ) : (
          <img className="app-sign" src={view.app.logo_url} alt="" />
        )}
      </Party>
      <div className="between">{children ?? <Icon shape={arrow} size={24} />}</div>
      <Party name={view.institution.name}>
        <InstitutionLogo institution={view.institution} size={48} />
      </Party>
    </div>
  );
}

function Party({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div className="party">
      {children}
      <bdi>{name}</bdi>
    </div>
  );
}
