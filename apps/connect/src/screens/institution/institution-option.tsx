import type { ReactElement } from 'react';
import { InstitutionLogo } from '../../controls/institution-logo.js';
import { chevron, warning } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import type { Institution } from '../../session/view.js';
import { useConnect } from '../../context/connect-context.js';
import { matchedParts } from './matched-parts.js';

interface InstitutionOptionProps {
  institution: Institution;
  form: 'tile' | 'row';
  term: string;
  isActive: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

export const optionId = ({ institution_id: id }: Institution): string => `institution-${id}`;

/** A bank to choose, with its health as text. */
export function InstitutionOption({
  institution,
  form,
  term,
  isActive,
  onChoose,
  onPoint,
}: InstitutionOptionProps): ReactElement {
  const { texts } = useConnect();
  const { name, domain, health } = institution;
  return (
    <div
      className={`option option-${form}`}
      role="option"
      id={optionId(institution)}
      aria-selected={isActive}
      onClick={onChoose}
      onMouseMove={onPoint}
    >
      <InstitutionLogo institution={institution} size={form === 'tile' ? 40 : 36} />
      <span className="row-main">
        <bdi className="row-title">
          {matchedParts(name, term).map(({ text, isMatch }, index) =>
            isMatch ? <b key={index}>{text}</b> : text,
          )}
        </bdi>
        {form === 'row' && domain !== null && (
          <bdi className="row-detail" dir="ltr">
            {domain}
          </bdi>
        )}
        {health !== 'operational' && (
          <span className={`health health-${health}`}>
            {health === 'down' && form === 'row' && <Icon shape={warning} size={14} />}
            {texts.get(`health_${health}`)}
          </span>
        )}
      </span>
      {form === 'row' && <Icon shape={chevron} size={16} />}
    </div>
  );
}
