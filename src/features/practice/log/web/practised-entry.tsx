import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { call } from '#web/api/call.ts';
import { focusFirstInvalid } from '#web/forms/use-form.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChangeFailure } from '#web/ui/error-text.tsx';
import { TextField } from '#web/ui/field.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { PractisedMelody } from '../contract.ts';
import { COUNT_MAX } from '../limits.ts';
import { PRACTICE_LOG } from './practice-log.ts';
import {
  inMinutes,
  inMinutesAndTimes,
  inNumbers,
  inTimes,
  outsideRange,
  typedNumber,
} from './practice-words.ts';
import { PractisedDays } from './practised-days.tsx';

type PractisedEntryProps = {
  melody: PractisedMelody;
  /** Date as 2026-11-20. */
  today: string;
  isOpen: boolean;
  onToggle: () => void;
};

/** A melody with its numbers. Expands to show its target and its days. */
export function PractisedEntry({ melody, today, isOpen, onToggle }: PractisedEntryProps) {
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
          <span {...langOf(title)} className="block font-serif wrap-anywhere">
            {title}
          </span>
          <span className="block text-sm text-soft">
            {last?.day === today ? `Today ${inMinutesAndTimes(last)} · ` : ''}
            {inMinutes(seconds)}
            {last?.day === today ? ' in total' : ''}
            {target === null && sung > 0 && `, ${inTimes(sung)}`}
          </span>
          {target !== null && <Towards {...{ sung, target }} />}
        </span>
        <ChevronDown className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      {isOpen && (
        <div id={panel} className="grid gap-6 px-4 pt-1 pb-5">
          <CountForm melody={melody} />
          <PractisedDays {...{ melody, today }} />
          <RemoveMelody melody={melody} />
        </div>
      )}
    </>
  );
}

function Towards({ sung, target }: { sung: number; target: number }) {
  return (
    <>
      <span className="mt-1 block text-sm font-semibold tabular-nums">
        {inNumbers(sung)} of {inNumbers(target)}
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

const USUAL_TARGETS = [108, 1_000, 10_000, 100_000];

function CountForm({ melody: { id, target, sungBefore } }: { melody: PractisedMelody }) {
  const [typed, setTyped] = useState({
    target: target === null ? '' : inNumbers(target),
    before: sungBefore === 0 ? '' : inNumbers(sungBefore),
  });
  const save = useMutation({
    mutationFn: (body: { target: number | null; sungBefore: number }) =>
      call('PUT /api/user/practice-log/{id}', { params: { id }, body }),
    meta: { refreshes: [PRACTICE_LOG] },
  });
  const wanted = {
    target: typedNumber(typed.target, COUNT_MAX, 0),
    sungBefore: typedNumber(typed.before, COUNT_MAX, 0),
  };
  const isChanged = wanted.target !== (target ?? 0) || wanted.sungBefore !== sungBefore;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (wanted.target === null || wanted.sungBefore === null) return focusFirstInvalid(event.currentTarget);
    if (!isChanged) return;
    save.mutate({ target: wanted.target || null, sungBefore: wanted.sungBefore });
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
          error={wanted.target === null ? outsideRange(COUNT_MAX) : null}
          onChange={({ target: { value } }) => setTyped({ ...typed, target: value })}
        />
        <div className="mt-2 grid grid-cols-4 gap-1.5">
          {USUAL_TARGETS.map((usual) => (
            <button
              key={usual}
              type="button"
              onClick={() => setTyped({ ...typed, target: inNumbers(usual) })}
              className="min-h-11 rounded-md border border-edge text-sm tabular-nums hover:bg-sunk"
            >
              {inNumbers(usual)}
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
        error={wanted.sungBefore === null ? outsideRange(COUNT_MAX) : null}
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
      <ChangeFailure of={save} sentence="Couldn’t save this. Please try again." className="sm:col-span-2" />
    </form>
  );
}

function RemoveMelody({ melody: { id, title } }: { melody: PractisedMelody }) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/user/practice-log/{id}', { params: { id } }),
    meta: { refreshes: [PRACTICE_LOG] },
    onSettled: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="quiet" className="justify-self-start" onClick={() => setIsAsking(true)}>
        Remove from the log
      </Button>
      <ChangeFailure of={remove} sentence="Couldn’t remove it. Please try again." />
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
