import { useEffect, useState } from 'react';
import { asFailure, type CallFailed } from '../../data/call-failed.js';
import { change } from '../../data/call.js';

/** The person that a link was made for. */
export interface Holder {
  role: 'operator' | 'app';
  app_id: string | null;
  is_read_only: boolean;
  label: string;
}

/** Reads whom a code signs in, without using it. The code is in a body, as an address would be logged. */
export function useHolder(code: string): { holder: Holder | null; failure: CallFailed | null } {
  const [holder, setHolder] = useState<Holder | null>(null);
  const [failure, setFailure] = useState<CallFailed | null>(null);
  useEffect(() => {
    let isOver = false;
    change<Holder>({ method: 'POST', path: '/session/code/holder', body: { code } }).then(
      (answer) => !isOver && setHolder(answer),
      (error: unknown) => !isOver && setFailure(asFailure(error)),
    );
    return () => {
      isOver = true;
    };
  }, [code]);
  return { holder, failure };
}
