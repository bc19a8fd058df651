import type { ReactElement, ReactNode } from 'react';

interface PickRowProps {
  type: 'checkbox' | 'radio';
  group: string;
  isPicked: boolean;
  isLocked?: boolean;
  describedBy?: string;
  onPick: (isPicked: boolean) => void;
  children: ReactNode;
}

/** A row that is one big check box or radio button. */
export function PickRow({
  type,
  group,
  isPicked,
  isLocked = false,
  describedBy,
  onPick,
  children,
}: PickRowProps): ReactElement {
  return (
    <label className={`row pick-row ${isLocked ? 'is-locked' : ''}`}>
      <input
        type={type}
        name={group}
        checked={isPicked}
        disabled={isLocked}
        aria-describedby={describedBy}
        onChange={(event) => onPick(event.target.checked)}
      />
      {children}
    </label>
  );
}
