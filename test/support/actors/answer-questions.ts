import type { ConnectVisit } from './link-journey.js';
import type { View } from './response-bodies.js';

/** Grants every requested product and shares every account. */
export async function answerQuestions(visit: ConnectVisit): Promise<View> {
  let view = await visit.settle();
  while (view.step.kind === 'consent' || view.step.kind === 'select_accounts') {
    const { kind, products = [], accounts = [] } = view.step;
    view = await visit.answer(
      kind === 'consent'
        ? { kind, granted: products.map(({ product }) => product) }
        : { kind, refs: accounts.map(({ ref }) => ref) },
    );
  }
  return view;
}
