import { Check } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '#web/api/call.ts';
import { displayName } from '#web/api/session.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { ListedUser } from '../contract.ts';
import { failureSentence, useAccessChange } from './access-change.ts';

type AccessCheckboxProps = { user: ListedUser; level: Level; isGranted: boolean };

/** One level of one student; a tick is saved at once, and says so beside it. */
export function AccessCheckbox({ user, level, isGranted }: AccessCheckboxProps) {
  const change = useAccessChange(user.id, level, displayName(user));
  // The last tick shows until it is saved or refused, regardless of earlier ones.
  const [ticked, setTicked] = useState(isGranted);
  const tick = (isTicked: boolean) => {
    setTicked(isTicked);
    change.mutate(isTicked);
  };
  return (
    <div className="border-t border-line py-1">
      <div className="flex items-start gap-3">
        <Checkbox
          label={level.name}
          hint={level.description}
          checked={change.isPending ? ticked : isGranted}
          onChange={(event) => tick(event.target.checked)}
          className="min-w-0 grow break-words"
        />
        <p role="status" className="flex min-h-11 shrink-0 items-center gap-1.5 text-sm text-soft">
          {change.isPending && (
            <>
              <Spinner /> Saving…
            </>
          )}
          {change.isSuccess && (
            <span className="flex items-center gap-1 text-jade-ink">
              <Check aria-hidden="true" className="size-5" /> Saved
            </span>
          )}
        </p>
      </div>
      {change.isError && (
        <p role="alert" className="ms-9 pb-2 text-sm text-danger">
          <span className="block font-semibold">{failureSentence(change.variables)}</span>
          {sentenceOf(change.error, 'Please try again.')}
        </p>
      )}
    </div>
  );
}
