import { z } from 'zod';
import {
  CONNECT_FEATURES,
  type ConnectFeature,
  type ConnectFeatures,
} from '../../../../domain/session/connect-features.js';

const oneOrNone = z.boolean().optional();
const shape = Object.fromEntries(CONNECT_FEATURES.map((name) => [name, oneOrNone])) as Record<
  ConnectFeature,
  typeof oneOrNone
>;

/** All false by default; an unknown feature is ignored. Source: link-lifecycle 2.5. */
export const connectFeatures = z
  .object(shape)
  .meta({ id: 'ConnectFeaturesInput' })
  .transform(
    (given): ConnectFeatures =>
      Object.fromEntries(
        CONNECT_FEATURES.map((name) => [name, given[name] === true]),
      ) as ConnectFeatures,
  );
