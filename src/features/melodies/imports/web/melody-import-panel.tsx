import { clsx } from 'clsx';
import { FolderOpen } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Notice } from '#web/ui/notice.tsx';
import { StepIndicator } from '#web/ui/step-indicator.tsx';
import { useFocusIfLost } from '#web/ui/use-focus-if-lost.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { MAX_IMPORTED_MELODIES } from '../limits.ts';
import { readDroppedFiles, ChooseFilesButton } from './choose-files-button.tsx';
import type { FolderFile } from './import-files.ts';
import { EarlierImports } from './earlier-imports.tsx';
import { MelodyImportReviewStep } from './import-review-step.tsx';
import { type MelodyImportState, useMelodyImport } from './use-melody-import.ts';

/** Imports a folder of melodies: audio files, words, line timings, pictures and an optional table. */
export default function MelodyImportPanel({ levels }: { levels: readonly Level[] }) {
  const melodies = useMelodyImport(levels);
  const { current, entries, folder, isRunning } = melodies;
  const hasRowsLeft = entries.some(({ isChosen, status }) => isChosen && status.kind !== 'failed');
  const isDone = current?.isAdding === true && !isRunning && !hasRowsLeft;
  const areFilesMissing = current !== null && folder === null;
  const step = current === null || areFilesMissing ? 0 : isDone ? 2 : 1;
  const [undone, setUndone] = useState<number | null>(null);
  const container = useRef<HTMLDivElement>(null);
  useFocusIfLost(container, `${step} ${isRunning}`);
  return (
    <div ref={container} tabIndex={-1} className="outline-none">
      <div className={clsx(step === 1 && 'lg:sr-only')}>
        <StepIndicator steps={['Choose a folder', 'Review', 'Done']} at={step} />
      </div>
      {undone !== null && current === null && (
        <Notice tone="success" title="Import undone" className="mb-4 max-w-3xl">
          {undone === 1 ? '1 melody was' : `${undone.toLocaleString('en')} melodies were`} removed from the
          library.
        </Notice>
      )}
      {(current === null || areFilesMissing) && (
        <ChooseFolder {...{ melodies }} onChosen={() => setUndone(null)} />
      )}
      {current && (
        <MelodyImportReviewStep
          {...{ melodies, current, levels, isDone }}
          onUndone={(count) => {
            setUndone(count);
            melodies.close();
          }}
        />
      )}
      {current === null && <EarlierImports onUndone={setUndone} />}
    </div>
  );
}

function ChooseFolder({ melodies, onChosen }: { melodies: MelodyImportState; onChosen: () => void }) {
  const { current, reading, problem, addFiles } = melodies;
  const added = melodies.entries.filter(({ status }) => status.kind === 'added').length;
  return (
    <div className="grid max-w-3xl gap-4">
      {current && (
        <Notice tone="amber" isQuiet title="You have an unfinished import.">
          {added > 0 &&
            `${added.toLocaleString('en')} of ${current.rows.length.toLocaleString('en')} melodies have been added. `}
          Choose the same folder again to continue.
        </Notice>
      )}
      <FolderDrop
        onFiles={(files) => {
          onChosen();
          void addFiles(files);
        }}
        isReading={reading !== null}
      />
      {reading && (
        <p role="status" className="text-sm text-soft">
          {reading.of > 0
            ? `Reading ${reading.done.toLocaleString('en')} of ${reading.of.toLocaleString('en')} audio files…`
            : 'Reading the folder…'}
        </p>
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
    </div>
  );
}

type FolderDropProps = { onFiles: (files: readonly FolderFile[]) => void; isReading: boolean };

function FolderDrop({ onFiles, isReading }: FolderDropProps) {
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // React doesn't support this attribute as a prop.
    folder.current?.setAttribute('webkitdirectory', '');
    // Without this, the browser would leave the page to open a file that is dropped outside the drop area.
    const prevent = (event: Event) => event.preventDefault();
    addEventListener('dragover', prevent);
    addEventListener('drop', prevent);
    return () => {
      removeEventListener('dragover', prevent);
      removeEventListener('drop', prevent);
    };
  }, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (!isReading) void readDroppedFiles(event.dataTransfer.items).then(onFiles);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={`grid justify-items-start gap-4 rounded-lg border border-dashed border-edge p-5 sm:p-6 ${isOver ? 'bg-saffron-ground' : 'bg-surface'}`}
    >
      <FolderOpen className="size-8 text-soft" />
      <div>
        <p className="font-semibold">A folder with your melodies</p>
        <p className="mt-1 text-sm text-soft">
          Audio files (MP3, WAV, M4A) and, with the same names, words (.txt), line timing (.lrc) and pictures.
          A table (CSV or Excel) with titles, levels and descriptions works too. Up to{' '}
          {MAX_IMPORTED_MELODIES.toLocaleString('en')} melodies at once. You can review them before anything
          is added.
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <ChooseFilesButton
          label="Choose a folder"
          inputRef={folder}
          onFiles={onFiles}
          isBusy={isReading}
          isPrimary
        />
        <ChooseFilesButton label="Choose files" onFiles={onFiles} isBusy={isReading} />
      </div>
      <p className="text-sm text-soft pointer-coarse:hidden">Or drop a folder here.</p>
    </div>
  );
}
