import { clsx } from 'clsx';
import { Check } from 'lucide-react';

/** The steps of a process; `at` is the current one, counted from 0. */
export const StepIndicator = ({ steps, at }: { steps: readonly string[]; at: number }) => (
  <ol aria-label="Steps" className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    {steps.map((step, index) => (
      <li
        key={step}
        aria-current={index === at ? 'step' : undefined}
        className={clsx(
          'flex items-center gap-2',
          index === at ? 'font-semibold' : 'text-soft',
          index > 0 && 'before:h-px before:w-5 before:bg-edge max-sm:before:hidden',
        )}
      >
        <span
          aria-hidden="true"
          className={clsx(
            'grid size-7 place-items-center rounded-full',
            index < at && 'bg-jade-ground text-jade-ink',
            index === at && 'bg-action text-on-action',
            index > at && 'border border-edge',
          )}
        >
          {index < at ? <Check className="size-4" /> : index + 1}
        </span>
        {step}
      </li>
    ))}
  </ol>
);
