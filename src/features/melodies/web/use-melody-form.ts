import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDraft } from '#web/drafts/use-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Melody } from '../contract.ts';
import { titleOf } from './file-name.ts';
import { readTags } from './read-tags.ts';
import {
  changedIn,
  type FileChoice,
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
  type TypedMelody,
  typedOf,
  uncorrected,
} from './typed-melody.ts';
import { useChosenLrc } from './use-chosen-lrc.ts';
import { FAILED_TO_UPDATE, type SavedMelody, useSaveMelody } from './use-save-melody.ts';

const INCOMPLETE = {
  title: 'Validation Error',
  description: 'Please fill in the title and select a transmission level.',
};
const UNTITLED = { title: FAILED_TO_UPDATE, description: TITLE_MISSING };

/** State of the form for a melody, new or existing, until it has been saved. */
export function useMelodyForm(melody: Melody | null, onSaved: (melody: SavedMelody) => void) {
  const formRef = useRef<HTMLFormElement>(null);
  const { value: typed, change: keep, latest } = useDraft(melodyDraft(melody));
  const isOther = Object.keys(changedIn(typed, typedOf(melody))).length > 0;
  const [hasKept] = useState(isOther);
  const [files, setFiles] = useState(NO_FILES);
  const [problems, setProblems] = useState<MelodyProblems>({});

  const change = (next: TypedMelody) => {
    setProblems((before) => uncorrected(before, { from: typed, to: next }, melody));
    keep(next);
  };
  const lrc = useChosenLrc(typed.melodyText, (words) => {
    if (latest().melodyText.trim() === '') change({ ...latest(), melodyText: words });
  });
  const named = useRef<FileChoice>(null);
  /** A new melody without a title takes that of its sound. */
  const nameBy = async (sound: FileChoice) => {
    named.current = sound;
    if (melody !== null || !(sound instanceof File) || latest().title.trim() !== '') return;
    const title = (await readTags(sound)).title ?? titleOf(sound.name);
    // Another may have been chosen meanwhile, or this one sent.
    if (named.current === sound && latest().title.trim() === '') change({ ...latest(), title });
  };
  const choose = (next: MelodyFiles) => {
    if (next.audioFile !== named.current) void nameBy(next.audioFile);
    setFiles(next);
    setProblems({ ...problems, thumbnail: undefined, audioFile: undefined, ...tooLargeIn(next) });
  };
  /** Resets the form to the saved melody. The next new one is most often of the same level. */
  const startAnew = () => {
    const { transmissionLevelId } = typed;
    keep({ ...typedOf(melody), ...(melody === null && { transmissionLevelId }) });
    setFiles(NO_FILES);
    named.current = null;
    lrc.choose(null);
    setProblems({});
  };
  const mark = (found: MelodyProblems, tooLong: readonly MelodyField[] = []) => {
    // At once: a field that is folded away has to be there to take the focus.
    flushSync(() => setProblems(found));
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
    if (Object.keys(found).length + tooLong.length === 0) save.mutate({ typed, files, timings: lrc.timings });
  };

  const hasFiles = files.thumbnail !== null || files.audioFile !== null || lrc.file !== null;
  return {
    formRef,
    typed,
    files,
    lrc,
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
