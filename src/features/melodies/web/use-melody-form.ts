import { type FormEvent, useRef, useState } from 'react';
import { useDraft } from '../../../platform/web/drafts/use-draft.ts';
import { toast } from '../../../platform/web/toasts.ts';
import type { Melody } from '../contract.ts';
import {
  changedIn,
  firstOf,
  melodyDraft,
  type MelodyField,
  type MelodyFiles,
  type MelodyProblems,
  missingIn,
  NO_FILES,
  refusedIn,
  TITLE_MISSING,
  tooLargeIn,
  tooLongIn,
  typedOf,
} from './typed-melody.ts';
import { FAILED_TO_UPDATE, type SavedMelody, useSaveMelody } from './use-save-melody.ts';

const INCOMPLETE = {
  title: 'Validation Error',
  description: 'Please fill in the title and select a transmission level.',
};
const UNTITLED = { title: FAILED_TO_UPDATE, description: TITLE_MISSING };

/** State of the form for a melody, new or existing, until it has been saved. */
export function useMelodyForm(melody: Melody | null, onSaved: (melody: SavedMelody) => void) {
  const formRef = useRef<HTMLFormElement>(null);
  const { value: typed, change } = useDraft(melodyDraft(melody));
  const isOther = Object.keys(changedIn(typed, typedOf(melody))).length > 0;
  const [hasKept] = useState(isOther);
  const [files, setFiles] = useState(NO_FILES);
  const [problems, setProblems] = useState<MelodyProblems>({});

  const choose = (next: MelodyFiles) => {
    setFiles(next);
    setProblems({ ...problems, thumbnail: undefined, audioFile: undefined, ...tooLargeIn(next) });
  };
  /** Resets the form to the saved melody. */
  const startAnew = () => {
    change(typedOf(melody));
    setFiles(NO_FILES);
    setProblems({});
  };
  const mark = (found: MelodyProblems, tooLong: readonly MelodyField[] = []) => {
    setProblems(found);
    const first = firstOf(found, tooLong);
    formRef.current?.querySelector<HTMLElement>(`[name=${first}], [data-field=${first}] input`)?.focus();
  };
  const save = useSaveMelody(melody, {
    onSaved: (saved) => {
      startAnew();
      onSaved(saved);
    },
    onRefused: (error) => mark(refusedIn(error)),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const missing = missingIn(typed, melody);
    const found = { ...missing, ...tooLargeIn(files) };
    const tooLong = tooLongIn(typed);
    mark(found, tooLong);
    save.reset();
    if (Object.keys(missing).length > 0) {
      toast({ ...(melody === null ? INCOMPLETE : UNTITLED), variant: 'destructive' });
    }
    if (Object.keys(found).length + tooLong.length === 0) save.mutate({ typed, files });
  };

  const hasFiles = files.thumbnail !== null || files.audioFile !== null;
  return {
    formRef,
    typed,
    files,
    problems,
    save,
    change,
    choose,
    startAnew,
    submit,
    /** Whether earlier unsaved changes were restored. */
    hasKept,
    isChanged: hasFiles || isOther,
    /** Typed text survives on the device; chosen files and uploads do not. */
    wouldLose: hasFiles || save.isPending,
  };
}

export type MelodyFormState = ReturnType<typeof useMelodyForm>;
