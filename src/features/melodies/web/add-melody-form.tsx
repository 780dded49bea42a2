import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { sentenceOf } from '../../../platform/web/call.ts';
import { useUser } from '../../../platform/web/session.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { Level } from '../../levels/contract.ts';
import { UploadProgress } from '../../../platform/web/ui/upload-progress.tsx';
import { MelodyFileFields } from './melody-file-fields.tsx';
import { MelodyTextFields } from './melody-text-fields.tsx';
import {
  EMPTY_MELODY,
  firstOf,
  keepMelody,
  keptMelody,
  type MelodyProblems,
  missingIn,
  NO_FILES,
  refusedIn,
  tooLargeIn,
  type TypedMelody,
} from './new-melody.ts';
import { useAddMelody } from './use-add-melody.ts';

const INCOMPLETE = 'Please fill in the title and select a transmission level.';

export function AddMelodyForm({ levels }: { levels: readonly Level[] }) {
  const userId = useUser().id;
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(() => keptMelody(userId));
  const [files, setFiles] = useState(NO_FILES);
  const [problems, setProblems] = useState<MelodyProblems>({});
  const add = useAddMelody({
    onAdded: () => {
      change(EMPTY_MELODY);
      setFiles(NO_FILES);
    },
    onRefused: (error) => mark(refusedIn(error, files)),
  });

  const change = (next: TypedMelody) => {
    setTyped(next);
    keepMelody(userId, next);
  };

  const mark = (found: MelodyProblems) => {
    setProblems(found);
    const first = firstOf(found);
    form.current?.querySelector<HTMLElement>(`[name=${first}], [data-field=${first}] input`)?.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    const missing = missingIn(typed);
    const found = { ...missing, ...tooLargeIn(files) };
    mark(found);
    add.reset();
    if (Object.keys(missing).length > 0) {
      toast({ title: 'Validation Error', description: INCOMPLETE, variant: 'destructive' });
    }
    if (Object.keys(found).length === 0) add.mutate({ typed, files });
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,40rem)_1fr]"
    >
      <div className="measure grid content-start gap-6">
        <MelodyTextFields typed={typed} levels={levels} problems={problems} onChange={change} />
      </div>
      <div className="measure grid content-start gap-6">
        <MelodyFileFields
          {...{ typed, files, problems }}
          onChange={change}
          onFiles={(next) => {
            setFiles(next);
            setProblems({ ...problems, thumbnail: undefined, audioFile: undefined, ...tooLargeIn(next) });
          }}
        />
        {add.isPending && <UploadProgress fraction={add.fraction} />}
        {add.isError && (
          <Notice tone="danger" title="Failed to add melody">
            {sentenceOf(add.error, 'Please try again.')} Everything you gave is still here.
          </Notice>
        )}
        {add.isSuccess && (
          <Notice tone="success" title="Melody added successfully">
            “{add.data.title}” has been added to the library.{' '}
            <Link href="/melodies" className="link">
              See it in the library
            </Link>
          </Notice>
        )}
        <Button type="submit" variant="primary" isWide busy={add.isPending}>
          Add Melody
        </Button>
      </div>
    </form>
  );
}
