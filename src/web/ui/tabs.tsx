import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export type Tab<V extends string> = { value: V; label: ReactNode; panel: ReactNode; isDisabled?: boolean };

type TabsProps<V extends string> = {
  /** Names the row of tabs for screen readers. */
  label: string;
  tabs: readonly Tab<V>[];
  value: V;
  onChange: (value: V) => void;
  className?: string;
};

/** Tabs for two or three alternative panels. Panels stay mounted, so that typed text is not lost. */
export function Tabs<V extends string>({ label, tabs, value, onChange, className }: TabsProps<V>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);

  const choose = (chosen: Tab<V> | undefined) => {
    if (!chosen) return;
    onChange(chosen.value);
    row.current?.querySelector<HTMLElement>(`[data-value="${chosen.value}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const enabled = tabs.filter((tab) => !tab.isDisabled);
    const at = enabled.findIndex((tab) => tab.value === value);
    const target = keyTargets(at, enabled.length)[event.key];
    if (target === undefined) return;
    event.preventDefault();
    choose(enabled.at(target));
  };

  return (
    <div className={className}>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="grid auto-cols-fr grid-flow-col gap-1 rounded-lg bg-sunk p-1"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}-tab`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}-${tab.value}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            disabled={tab.isDisabled}
            onClick={() => onChange(tab.value)}
            className={clsx(
              'min-h-11 rounded-md border px-2 py-1.5 text-sm leading-tight font-semibold',
              tab.value === value ? 'border-edge bg-surface text-ink' : 'border-transparent text-soft',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}-tab`}
          hidden={tab.value !== value}
        >
          {tab.panel}
        </div>
      ))}
    </div>
  );
}

const keyTargets = (at: number, count: number): Record<string, number> => ({
  ArrowLeft: (at - 1 + count) % count,
  ArrowRight: (at + 1) % count,
  Home: 0,
  End: count - 1,
});
