import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { focusFirstInvalid } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { MutationErrorText } from '#web/ui/error-text.tsx';
import { TextField } from '#web/ui/field.tsx';
import type { PracticeDay, PractisedMelody } from '../contract.ts';
import { MAX_PRACTICE_SECONDS_PER_DAY, MAX_TIMES_SUNG_PER_DAY } from '../limits.ts';
import { PRACTICE_LOG_PATH } from './practice-log-path.ts';
import {
  formatPracticeDay,
  formatNumber,
  getRangeErrorMessage,
  parseWholeNumber,
} from './format-practice.ts';

type PracticeDayFormProps = {
  melody: PractisedMelody;
  today: string;
  /** The day to correct. If absent, the user chooses a day, and the typed numbers are added to that day. */
  day?: PracticeDay;
  onClose: () => void;
};

/** Form to correct the numbers of a day, or to add practice by hand. */
export function PracticeDayForm({ melody, today, day, onClose }: PracticeDayFormProps) {
  const [typed, setTyped] = useState({
    day: day?.day ?? today,
    minutes: day ? formatNumber(Math.round(day.seconds / 60)) : '',
    times: day ? formatNumber(day.times) : '',
  });
  const minutes = parseWholeNumber(typed.minutes, MAX_PRACTICE_SECONDS_PER_DAY / 60, 0);
  const times = parseWholeNumber(typed.times, MAX_TIMES_SUNG_PER_DAY, 0);
  const isDay = typed.day !== '' && typed.day <= today;
  const save = useMutation({
    mutationFn: async (numbers: Numbers) => {
      const seen = pickNumbers(day ?? (await fetchDay(melody.id, typed.day)));
      const sum = { seconds: seen.seconds + numbers.seconds, times: seen.times + numbers.times };
      return callApi('PUT /api/user/practice-log/{id}/days/{day}', {
        params: { id: melody.id, day: typed.day },
        body: { ...(day ? numbers : sum), seen },
      });
    },
    meta: { refreshes: [PRACTICE_LOG_PATH] },
    onSuccess: onClose,
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (minutes === null || times === null || !isDay) return focusFirstInvalid(event.currentTarget);
    // Keeps the exact seconds if the user didn't change the field, which shows rounded minutes.
    const isSame = day && minutes === Math.round(day.seconds / 60);
    save.mutate({ seconds: isSame ? day.seconds : minutes * 60, times });
  }

  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setTyped({ ...typed, [name]: target.value }),
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-3 py-2">
      {day ? (
        <p className="text-sm font-semibold">{formatPracticeDay(day.day, today)}</p>
      ) : (
        <TextField
          {...field('day')}
          label="Day"
          autoFocus
          type="date"
          max={today}
          error={isDay ? null : 'Please choose today or an earlier day.'}
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <TextField
          {...field('minutes')}
          label="Minutes"
          autoFocus={day !== undefined}
          inputMode="numeric"
          autoComplete="off"
          error={minutes === null ? getRangeErrorMessage(MAX_PRACTICE_SECONDS_PER_DAY / 60) : null}
        />
        <TextField
          {...field('times')}
          label="How many times"
          inputMode="numeric"
          autoComplete="off"
          error={times === null ? getRangeErrorMessage(MAX_TIMES_SUNG_PER_DAY) : null}
        />
      </div>
      <MutationErrorText mutation={save} sentence="Couldn’t save this. Please try again." />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" busy={save.isPending}>
          {day ? 'Save' : 'Add'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

type Numbers = Pick<PracticeDay, 'seconds' | 'times'>;

const pickNumbers = ({ seconds, times }: Numbers) => ({ seconds, times });

/** Fetches the current numbers of a day. Both are 0 if the log has no entry for the day. */
async function fetchDay(id: number, day: string): Promise<Numbers> {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  const after = JSON.stringify([next.toISOString().slice(0, 10)]);
  const days = await callApi('GET /api/user/practice-log/{id}/days', { params: { id }, query: { after } });
  return days.find((each) => each.day === day) ?? { seconds: 0, times: 0 };
}
