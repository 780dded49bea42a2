import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { focusFirstInvalid } from '#web/forms/use-form.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { MutationErrorText } from '#web/ui/error-text.tsx';
import { TextField } from '#web/ui/field.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { PractisedMelody } from '../contract.ts';
import { MAX_TIMES_SUNG } from '../limits.ts';
import { PRACTICE_LOG_PATH } from './practice-log-path.ts';
import {
  formatPracticeDuration,
  formatPracticeTotals,
  formatNumber,
  formatTimesSung,
  getRangeErrorMessage,
  parseWholeNumber,
} from './format-practice.ts';
import { PractisedDays } from './practised-days.tsx';

type PracticeLogEntryProps = {
  melody: PractisedMelody;
  /** Formatted as 2026-11-20. */
  today: string;
  isOpen: boolean;
  onToggle: () => void;
};

/**
 * Row of the practice log: a melody, its total practice time and how often it was sung. Expands to show its
 * target and its days.
 */
export function PracticeLogEntry({ melody, today, isOpen, onToggle }: PracticeLogEntryProps) {
  const { title, seconds, times, target, sungBefore, last } = melody;
  const panel = useId();
  const sung = times + sungBefore;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={onToggle}
        className="flex w-full items-center gap-3 rounded-lg px-4 py-3 text-start hover:bg-sunk"
      >
        <span className="min-w-0 grow">
          <span {...getLangProps(title)} className="block font-serif wrap-anywhere">
            {title}
          </span>
          <span className="block text-sm text-soft">
            {last?.day === today ? `Today ${formatPracticeTotals(last)} · ` : ''}
            {formatPracticeDuration(seconds)}
            {last?.day === today ? ' in total' : ''}
            {target === null && sung > 0 && `, ${formatTimesSung(sung)}`}
          </span>
          {target !== null && <GoalProgress {...{ sung, target }} />}
        </span>
        <ChevronDown className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      {isOpen && (
        <div id={panel} className="grid gap-6 px-4 pt-1 pb-5">
          <GoalForm melody={melody} />
          <PractisedDays {...{ melody, today }} />
          <RemoveMelody melody={melody} />
        </div>
      )}
    </>
  );
}

function GoalProgress({ sung, target }: { sung: number; target: number }) {
  return (
    <>
      <span className="mt-1 block text-sm font-semibold tabular-nums">
        {formatNumber(sung)} of {formatNumber(target)}
      </span>
      <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-saffron forced-color-adjust-none"
          style={{ inlineSize: `${Math.min(100, (sung / target) * 100)}%` }}
        />
      </span>
    </>
  );
}

const COMMON_TARGETS = [108, 1_000, 10_000, 100_000];

function GoalForm({ melody: { id, target, sungBefore } }: { melody: PractisedMelody }) {
  const [typed, setTyped] = useState({
    target: target === null ? '' : formatNumber(target),
    before: sungBefore === 0 ? '' : formatNumber(sungBefore),
  });
  const save = useMutation({
    mutationFn: (body: { target: number | null; sungBefore: number }) =>
      callApi('PUT /api/user/practice-log/{id}', { params: { id }, body }),
    meta: { refreshes: [PRACTICE_LOG_PATH] },
  });
  const parsed = {
    target: parseWholeNumber(typed.target, MAX_TIMES_SUNG, 0),
    sungBefore: parseWholeNumber(typed.before, MAX_TIMES_SUNG, 0),
  };
  const isChanged = parsed.target !== (target ?? 0) || parsed.sungBefore !== sungBefore;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (parsed.target === null || parsed.sungBefore === null) return focusFirstInvalid(event.currentTarget);
    if (!isChanged) return;
    save.mutate({ target: parsed.target || null, sungBefore: parsed.sungBefore });
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4 sm:grid-cols-2">
      <div>
        <TextField
          label="Goal"
          isOptional
          inputMode="numeric"
          autoComplete="off"
          value={typed.target}
          error={parsed.target === null ? getRangeErrorMessage(MAX_TIMES_SUNG) : null}
          onChange={({ target: { value } }) => setTyped({ ...typed, target: value })}
        />
        <div className="mt-2 grid grid-cols-4 gap-1.5">
          {COMMON_TARGETS.map((usual) => (
            <button
              key={usual}
              type="button"
              onClick={() => setTyped({ ...typed, target: formatNumber(usual) })}
              className="min-h-11 rounded-md border border-edge text-sm tabular-nums hover:bg-sunk"
            >
              {formatNumber(usual)}
            </button>
          ))}
        </div>
      </div>
      <TextField
        label="Times sung before this log"
        isOptional
        inputMode="numeric"
        autoComplete="off"
        value={typed.before}
        error={parsed.sungBefore === null ? getRangeErrorMessage(MAX_TIMES_SUNG) : null}
        onChange={({ target: { value } }) => setTyped({ ...typed, before: value })}
      />
      {(isChanged || save.isPending) && (
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          className="sm:col-span-2 sm:justify-self-start"
        >
          Save
        </Button>
      )}
      <MutationErrorText
        mutation={save}
        sentence="Couldn’t save this. Please try again."
        className="sm:col-span-2"
      />
    </form>
  );
}

function RemoveMelody({ melody: { id, title } }: { melody: PractisedMelody }) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/user/practice-log/{id}', { params: { id } }),
    meta: { refreshes: [PRACTICE_LOG_PATH] },
    onSettled: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="quiet" className="justify-self-start" onClick={() => setIsAsking(true)}>
        Remove from the log
      </Button>
      <MutationErrorText mutation={remove} sentence="Couldn’t remove it. Please try again." />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence={`Remove ${title} from your practice log?`}
        note="Its days and counts will be deleted and can’t be recovered."
        confirmLabel="Remove"
        isDangerous
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
