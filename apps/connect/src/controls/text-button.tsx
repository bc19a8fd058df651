import type { ReactElement, ReactNode } from 'react';

interface TextButtonProps {
  onPress: () => void;
  isOff?: boolean;
  children: ReactNode;
}

export function TextButton({ onPress, isOff = false, children }: TextButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="text-button"
      aria-disabled={isOff || undefined}
      onClick={() => {
        if (!isOff) onPress();
      }}
    >
      {children}
    </button>
  );
}
