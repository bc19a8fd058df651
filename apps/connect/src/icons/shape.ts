import type { ReactElement } from 'react';
import type { ImageToken } from '../theme/tokens.js';

/** A line drawing on a 24 × 24 grid. */
export interface Shape {
  drawing: ReactElement;
  /** The image of a theme that replaces it (connect 10). */
  token?: ImageToken;
  /** Has a direction, so it is mirrored in right-to-left languages. */
  mirrors?: true;
}
