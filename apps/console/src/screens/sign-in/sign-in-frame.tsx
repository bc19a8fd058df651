import { type ReactElement, type ReactNode, useEffect } from 'react';
import { TEXTS as FRAME } from '../../frame/texts.js';
import css from './sign-in-page.module.css';

/** Around the pages of those who are not signed in yet. */
export function SignInFrame({
  title,
  children,
}: {
  title: string;
  children: ReactNode;
}): ReactElement {
  useEffect(() => {
    document.title = `${title} · ${FRAME.product}`;
  }, [title]);
  return (
    <main className={css.page}>
      <div className={css.mark}>
        <img src="/icon.svg" alt="" />
        {FRAME.product}
      </div>
      <div className={css.card}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
