import { useRef, useState } from 'react';
import { useForm } from '#web/forms/use-form.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Melody } from '../contract.ts';
import { LEVEL_REQUIRED_MESSAGE, TITLE_REQUIRED_MESSAGE } from '../limits.ts';
import { getTitleFromPath } from './file-name.ts';
import { readAudioTags } from './read-audio-tags.ts';
import { findMelodyAudioProblem } from './melody-audio-problem.ts';
import {
  getChangedMelodyFields,
  type FileChoice,
  createMelodyDraftOptions,
  type MelodyFileChoices,
  NO_MELODY_FILES,
  getFileSizeProblems,
  toMelodyFormValues,
} from './melody-form-values.ts';
import { useChosenLrc } from './use-chosen-lrc.ts';
import { UPDATE_MELODY_FAILED_MESSAGE, type SavedMelody, useSaveMelody } from './use-save-melody.ts';

const INCOMPLETE = {
  title: 'Validation Error',
  description: 'Please fill in the title and select a transmission level.',
};
const UNTITLED = { title: UPDATE_MELODY_FAILED_MESSAGE, description: TITLE_REQUIRED_MESSAGE };

/** Manages the form for a new or existing melody until it has been saved. */
export function useMelodyForm(melody: Melody | null, onSaved: (melody: SavedMelody) => void) {
  const { value: typed, change, latest } = useFormDraft(createMelodyDraftOptions(melody));
  const isEdited = Object.keys(getChangedMelodyFields(typed, toMelodyFormValues(melody))).length > 0;
  const [wasRestored] = useState(isEdited);
  const [files, setFiles] = useState(NO_MELODY_FILES);

  const lrc = useChosenLrc(typed.melodyText, (words) => {
    if (latest().melodyText.trim() === '') change({ ...latest(), melodyText: words });
  });
  const lastSound = useRef<FileChoice>(null);
  /** Fills the empty title of a new melody from its audio file. */
  const fillTitleFrom = async (sound: FileChoice) => {
    lastSound.current = sound;
    if (melody !== null || !(sound instanceof File) || latest().title.trim() !== '') return;
    const title = (await readAudioTags(sound)).title ?? getTitleFromPath(sound.name);
    // While the file was being read, the teacher may have chosen another file, typed a title or sent the form.
    if (lastSound.current === sound && latest().title.trim() === '') {
      change({ ...latest(), title });
      form.edit('title');
    }
  };
  const [refused, setRefused] = useState<{ file: FileChoice; reason: string } | null>(null);
  const measure = async (file: FileChoice) => {
    const reason = file instanceof File && (await findMelodyAudioProblem(file));
    if (reason) setRefused({ file, reason });
  };
  const fileProblems = {
    ...getFileSizeProblems(files),
    ...(refused && refused.file === files.audioFile && { audioFile: refused.reason }),
  };
  const choose = (next: MelodyFileChoices) => {
    if (next.audioFile !== lastSound.current) {
      void fillTitleFrom(next.audioFile);
      void measure(next.audioFile);
    }
    setFiles(next);
    form.edit('thumbnail');
    form.edit('audioFile');
  };
  /**
   * Resets the form to the saved melody. Keeps the level for the next new melody, which usually has the same
   * level.
   */
  const reset = () => {
    const { transmissionLevelId } = typed;
    change({ ...toMelodyFormValues(melody), ...(melody === null && { transmissionLevelId }) });
    setFiles(NO_MELODY_FILES);
    lastSound.current = null;
    lrc.choose(null);
    form.show({});
  };
  const save = useSaveMelody(melody, {
    onSaved: (saved) => {
      reset();
      onSaved(saved);
    },
    onRefused: (error) => void form.showServerErrors(error),
  });

  const form = useForm({
    values: { ...typed, ...files },
    schema: async () => {
      const { melodiesApi } = await import('../contract.ts');
      return (melody === null ? melodiesApi.add : melodiesApi.change).body;
    },
    check: () => fileProblems,
    onValid: () => {
      if (!save.isPending) save.mutate({ typed, files, timings: lrc.timings });
    },
    onInvalid: ({ title, transmissionLevelId }) => {
      save.reset();
      if (title !== TITLE_REQUIRED_MESSAGE && transmissionLevelId !== LEVEL_REQUIRED_MESSAGE) return;
      toast({ ...(melody === null ? INCOMPLETE : UNTITLED), variant: 'destructive' });
    },
  });

  const hasFiles = files.thumbnail !== null || files.audioFile !== null || lrc.file !== null;
  return {
    form,
    typed,
    files,
    lrc,
    problems: { ...form.problems, ...fileProblems },
    save,
    change,
    choose,
    reset,
    /** Whether earlier unsaved changes were restored. */
    wasRestored,
    isChanged: hasFiles || isEdited,
    /** Whether leaving would lose chosen files or an upload. Typed text is stored on the device. */
    wouldLose: hasFiles || save.isPending,
  };
}

export type MelodyFormState = ReturnType<typeof useMelodyForm>;
