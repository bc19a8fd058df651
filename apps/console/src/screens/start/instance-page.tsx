import type { ReactElement } from 'react';
import { PageTitle } from '../../frame/page-title.js';

export default function StartPage(): ReactElement {
  return <PageTitle title="Start" />;
}
