import { useEffect } from 'react';
import { placeIn, useGo, usePathValue } from '../../frame/address.js';
import { stringifySearch } from '../../frame/search.js';

/** An address without an environment: the id of a pair begins with its own. */
export default function ToKeysPage(): null {
  const app = usePathValue('app');
  const id = usePathValue('client_id');
  const go = useGo();
  useEffect(() => {
    const env = id.startsWith('live_') ? 'live' : 'sandbox';
    go(placeIn({ app, env }, `/keys${stringifySearch({ client_id: id })}`), { replace: true });
  });
  return null;
}
