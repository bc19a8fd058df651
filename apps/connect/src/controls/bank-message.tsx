import type { ReactElement } from 'react';
import { useConnect } from '../context/connect-context.js';

/** The bank's own text, as a quotation. */
export function BankMessage({ message }: { message: string | null }): ReactElement | null {
  const { texts, names } = useConnect();
  if (message === null || message === '') return null;
  return (
    <figure className="bank-message">
      <figcaption>{texts.get('bank_says', { bank: names.bank })}</figcaption>
      <blockquote dir="auto">{message}</blockquote>
    </figure>
  );
}
