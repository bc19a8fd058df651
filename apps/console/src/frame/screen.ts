import type { FunctionComponent } from 'react';
import type { Session } from '../data/session.js';
import type { IconName } from './icons.js';

export type Environment = 'sandbox' | 'live';

/** The app and the environment that the page is about. */
export interface Context {
  app: string;
  env: Environment;
}

/** One address of a screen. A screen loads when it is first opened. */
export interface Page {
  /** As the router writes it: `/a/$app/$env/links/$link_id`. */
  path: string;
  title: string;
  load: () => Promise<{ default: FunctionComponent }>;
  /** Only these; everyone without it. Others see a page that does not exist. */
  roles?: readonly Session['role'][];
  environments?: readonly Environment[];
}

/** A folder of `screens/`, and its line in `screens.ts`. */
export interface Screen {
  name: string;
  pages: readonly Page[];
  /** Its place in the navigation, and who sees it there. */
  navigation?: {
    label: string;
    icon: IconName;
    /** Where it leads from a context; null: nowhere, so it is left out. */
    href: (context: Context | null, session: Session) => string | null;
  };
}
