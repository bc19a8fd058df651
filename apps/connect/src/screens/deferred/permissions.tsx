import { useState, type ReactElement } from 'react';
import { BankMessage } from '../../controls/bank-message.js';
import { ErrorText } from '../../controls/error-text.js';
import { lock } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import { PRODUCT_SHAPES } from './step-shapes.js';
import type {
  ConsentProduct,
  Product,
  StepOf,
} from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { useStepError } from '../../context/use-refusal.js';

/** The recipient, the data and the purpose, in plain sentences. */
export function Permissions({ step }: { step: StepOf<'consent'> }): ReactElement {
  const { flow, texts, names } = useConnect();
  const [declined, setDeclined] = useState<ReadonlySet<Product>>(
    () =>
      new Set(
        step.products
          .filter(({ granted, required, locked }) => !granted && !required && !locked)
          .map(({ product }) => product),
      ),
  );
  const error = useStepError(step);
  const change = (product: Product, isGranted: boolean): void => {
    const next = new Set(declined);
    if (isGranted) next.delete(product);
    else next.add(product);
    setDeclined(next);
  };
  const submit = (): void => {
    const granted = step.products
      .map(({ product }) => product)
      .filter((product) => !declined.has(product));
    flow.events.report('submit_permissions', { granted });
    flow.answer({ kind: 'consent', granted });
  };
  return (
    <Screen
      title={texts.get('permissions_title', names)}
      subtitle={texts.get('permissions_text', names)}
      primary={{ label: texts.get('permissions_allow'), onPress: submit }}
      note={
        <>
          <Icon shape={lock} size={14} />
          {texts.get('permissions_note')}
        </>
      }
    >
      <BankMessage message={step.message} />
      <ul className="rows">
        {step.products.map((product) => (
          <ProductRow
            key={product.product}
            product={product}
            isGranted={!declined.has(product.product)}
            onChange={(isGranted) => change(product.product, isGranted)}
          />
        ))}
      </ul>
      <ErrorText id="permissions-error">{error}</ErrorText>
    </Screen>
  );
}

interface ProductRowProps {
  product: ConsentProduct;
  isGranted: boolean;
  onChange: (isGranted: boolean) => void;
}

function ProductRow({
  product: { product, reason, required, locked, already_granted: isEarlier },
  isGranted,
  onChange,
}: ProductRowProps): ReactElement {
  const { texts } = useConnect();
  const id = `product-${product}`;
  const isFixed = required || locked;
  const what = (
    <>
      <span className="product-icon">
        <Icon shape={PRODUCT_SHAPES[product]} size={22} />
      </span>
      <span className="row-main">
        <span className="row-title" id={`${id}-name`}>
          {texts.get(`product_${product}`)}
        </span>
        <span className="row-detail" id={`${id}-text`}>
          {texts.get(`product_${product}_text`)}
        </span>
        {reason !== null && (
          <span className="row-reason" id={`${id}-reason`} dir="auto">
            {texts.get('permissions_reason', { reason })}
          </span>
        )}
      </span>
    </>
  );
  if (isFixed) {
    return (
      <li className="row product-row">
        {what}
        <span className="row-lock">
          <Icon shape={lock} size={14} />
          {texts.get(isEarlier ? 'permissions_earlier' : 'permissions_needed')}
        </span>
      </li>
    );
  }
  return (
    <li>
      <label className="row product-row">
        {what}
        <input
          type="checkbox"
          role="switch"
          className="switch"
          checked={isGranted}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-text${reason === null ? '' : ` ${id}-reason`}`}
          onChange={(event) => onChange(event.target.checked)}
        />
      </label>
    </li>
  );
}
