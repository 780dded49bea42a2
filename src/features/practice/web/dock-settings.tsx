import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';

type DockSettingsProps = {
  id: string;
  label: string;
  /**
   * Whether the content uses the full width. The close button then covers its top right corner, so the first
   * row has to leave room for the button.
   */
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Settings shown in place of the waveform, so that they don't cover the words. */
export function DockSettings({ id, label, isWide = false, onClose, children }: DockSettingsProps) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus(), []);
  return (
    <div
      ref={group}
      id={id}
      role="group"
      aria-label={label}
      tabIndex={-1}
      data-closes-itself
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target instanceof HTMLSelectElement)) onClose();
      }}
      className="relative flex min-h-19.25 items-start gap-2"
    >
      <div className="min-w-0 grow">{children}</div>
      <IconButton
        label={`Close ${label.toLowerCase()}`}
        icon={<X />}
        onClick={onClose}
        {...(isWide && { className: 'absolute -end-2 top-0' })}
      />
    </div>
  );
}
