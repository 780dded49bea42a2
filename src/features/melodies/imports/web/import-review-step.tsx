import { joinSentences } from '#web/ui/sentences.ts';
import { Pause, Plus, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { clsx } from 'clsx';
import { actionBarClass } from '#web/ui/action-bar.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { inputClass } from '#web/ui/field.tsx';
import { FilterButton } from '#web/ui/filter-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { listUnknownLevelNames } from '#features/people/levels/web/level-names.ts';
import { UnknownLevelFields } from '#features/people/levels/web/unknown-level-fields.tsx';
import { UndoImportButton } from './earlier-imports.tsx';
import type { MelodyImportDraft } from './import-draft.ts';
import { ChooseFilesButton } from './choose-files-button.tsx';
import { MelodyImportRowsTable } from './import-rows-table.tsx';
import type { MelodyImportRowStatusKind } from './import-plan.ts';
import type { MelodyImportState, MelodyImportEntry } from './use-melody-import.ts';

type MelodyImportReviewStepProps = {
  melodies: MelodyImportState;
  current: MelodyImportDraft;
  levels: readonly Level[];
  /** Whether every chosen melody has been added or has failed. */
  isDone: boolean;
  /** @param count number of melodies removed from the library */
  onUndone: (count: number) => void;
};

/** Second and third step of an import: a table that shows the plan for each melody, and later its outcome. */
export function MelodyImportReviewStep({
  melodies,
  current,
  levels,
  isDone,
  onUndone,
}: MelodyImportReviewStepProps) {
  const { entries, folder } = melodies;
  const [kind, setKind] = useState<MelodyImportRowStatusKind | null>(null);
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const rows = entries.flatMap((each, index) =>
    (kind === null || each.status.kind === kind) &&
    (words === '' || each.row.title.toLowerCase().includes(words))
      ? [{ ...each, number: index + 1 }]
      : [],
  );
  return (
    <div data-reviewing={folder && !isDone ? '' : undefined} className="pb-4">
      {folder && <ReviewHeader {...{ melodies, current, levels }} />}
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div role="group" aria-label="Show" className="flex flex-wrap gap-2">
          <FilterButton isOn={kind === null} onPress={() => setKind(null)}>
            All {entries.length.toLocaleString('en')}
          </FilterButton>
          {STATUS_LABELS.map(([each, label]) => {
            const count = entries.filter(({ status }) => status.kind === each).length;
            return (
              (count > 0 || kind === each) && (
                <FilterButton
                  key={each}
                  isOn={kind === each}
                  onPress={() => setKind(kind === each ? null : each)}
                >
                  {count.toLocaleString('en')} {label}
                </FilterButton>
              )
            );
          })}
        </div>
        <SearchField
          label="Search the list"
          placeholder="Search the list"
          value={search}
          onChange={setSearch}
          className="w-full sm:w-64 [&_input]:h-11 [&>label]:sr-only"
        />
      </div>
      <MelodyImportRowsTable
        key={`${kind} ${words}`}
        rows={rows}
        levels={levels}
        isAdding={melodies.isRunning}
        onChange={melodies.changeRow}
      />
      {isDone ? <DoneBar {...{ melodies, current, onUndone }} /> : <AddBar {...{ melodies, current }} />}
    </div>
  );
}

const STATUS_LABELS: readonly [MelodyImportRowStatusKind, string][] = [
  ['added', 'added'],
  ['matched', 'complete'],
  ['missing', 'incomplete'],
  ['doubled', 'duplicates'],
  ['wrong', 'to fix'],
  ['failed', 'not added'],
  ['away', 'need their folder'],
];

function ReviewHeader({
  melodies,
  current,
  levels,
}: Pick<MelodyImportReviewStepProps, 'melodies' | 'current' | 'levels'>) {
  const { folder, addFiles, reading, isRunning, chooseLevel, problem } = melodies;
  const { unusedFiles = [], contents = '' } = folder ?? {};
  const areNamed = current.rows.some(({ levelName }) => levelName !== '');
  const isNeeded = melodies.entries.some(({ level, row }) => level === null && row.levelName === '');
  return (
    <div className="mb-1.5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <p className="min-w-0 font-semibold">{contents}</p>
        {!isRunning && (
          <ChooseFilesButton
            label="Add more files"
            onFiles={(files) => void addFiles(files)}
            isBusy={reading !== null}
          />
        )}
        <label className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 sm:ms-auto">
          <span className="text-sm font-semibold">{areNamed ? 'Level for the rest' : 'Level for all'}</span>
          <select
            value={current.levelId ?? ''}
            disabled={isRunning}
            aria-invalid={isNeeded || undefined}
            aria-describedby={isNeeded ? 'level-needed' : undefined}
            onChange={({ target }) => chooseLevel(target.value === '' ? null : Number(target.value))}
            className={clsx(inputClass, 'h-11 max-w-72')}
          >
            <option value="">Choose a level</option>
            {levels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {isNeeded && (
        <p id="level-needed" className="mt-1 text-sm font-semibold text-danger sm:text-end">
          Please choose a level for these melodies.
        </p>
      )}
      {!isRunning && (
        <UnknownLevelFields
          names={listUnknownLevelNames(
            current.rows.map(({ levelName }) => levelName).filter((name) => name !== ''),
            levels,
          )}
          noun={(count) => (count === 1 ? 'melody' : 'melodies')}
          {...{ levels, meanings: current.levelMeanings, onChange: melodies.chooseMeanings }}
        />
      )}
      {problem && (
        <Notice tone="danger" className="mt-4">
          {problem}
        </Notice>
      )}
      {unusedFiles.length > 0 && (
        <details className="text-sm">
          <summary className="min-h-11 py-2.5 font-semibold">
            {unusedFiles.length.toLocaleString('en')} {unusedFiles.length === 1 ? 'file' : 'files'} can’t be
            used
          </summary>
          <p className="wrap-anywhere text-soft">{unusedFiles.slice(0, 100).join(', ')}</p>
        </details>
      )}
    </div>
  );
}

const formatMelodyCount = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'melody' : 'melodies'}`;
const countByStatus = (shown: readonly MelodyImportEntry[], kind: MelodyImportRowStatusKind) =>
  shown.filter(({ status }) => status.kind === kind).length;

function AddBar({ melodies, current }: Pick<MelodyImportReviewStepProps, 'melodies' | 'current'>) {
  const { entries, isRunning, isLookingUp, sending, failure, folder } = melodies;
  const [isConfirming, setIsConfirming] = useState(false);
  const left = entries.filter(({ isChosen }) => isChosen);
  const added = countByStatus(entries, 'added');
  const total = added + left.length;
  const isReady = folder !== null && !isLookingUp && left.length > 0;
  const sendAhead = useEffectEvent(melodies.uploadAhead);
  useEffect(() => {
    if (isReady) sendAhead();
  }, [isReady]);
  const statusText = isLookingUp
    ? 'Looking for duplicates…'
    : current.isAdding
      ? `${added.toLocaleString('en')} of ${total.toLocaleString('en')} added`
      : `${left.length.toLocaleString('en')} of ${entries.length.toLocaleString('en')} ready to add`;
  return (
    <div className={actionBarClass}>
      <div className="min-w-0 grow basis-64">
        <p className="text-sm font-semibold">
          {statusText}
          {isRunning && sending.step === 'waiting' && ', waiting for a connection'}
        </p>
        <ScreenReaderAnnouncement text={isRunning ? '' : statusText} />
        {current.isAdding && (
          <ProgressBar
            aria-label="Added"
            value={added + (isRunning ? sending.fraction * 0.9 : 0)}
            max={Math.max(total, 1)}
            className="mt-1.5 h-2"
          />
        )}
        {failure && (
          <p role="alert" className="text-sm text-danger">
            {joinSentences(failure, 'Nothing was lost, and nothing will be added twice.')}
          </p>
        )}
      </div>
      {isRunning ? (
        <Button icon={<Pause />} onClick={melodies.pause}>
          Pause
        </Button>
      ) : (
        <>
          <Button onClick={() => setIsConfirming(true)}>Cancel</Button>
          <Button
            variant="primary"
            icon={<Plus />}
            isInactive={!isReady}
            onClick={melodies.add}
            className="max-sm:w-full"
          >
            {current.isAdding
              ? `Add the remaining ${left.length.toLocaleString('en')}`
              : `Add ${formatMelodyCount(left.length)}`}
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        sentence="Discard this import?"
        note={`${added > 0 ? `The ${formatMelodyCount(added)} already added will stay in the library. ` : 'Nothing has been added. '}Your own files aren’t changed. What you changed here will be lost.`}
        confirmLabel="Discard import"
        cancelLabel="Keep import"
        onConfirm={melodies.close}
      />
    </div>
  );
}

/** Formats the first titles and the number of the others: '“Mani”, “Refuge”, “Tārā” and 2 more'. */
function formatTitles(rows: readonly MelodyImportEntry[]): string {
  const names = rows.slice(0, MAX_TITLES_NAMED).map(({ row }) => `“${row.title}”`);
  const more = rows.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

const MAX_TITLES_NAMED = 3;

function DoneBar({
  melodies,
  current,
  onUndone,
}: Pick<MelodyImportReviewStepProps, 'melodies' | 'current' | 'onUndone'>) {
  const added = countByStatus(melodies.entries, 'added');
  const failed = melodies.entries.filter(({ status }) => status.kind === 'failed');
  const statusText = `${formatMelodyCount(added)} added to the library${failed.length > 0 ? `, ${failed.length.toLocaleString('en')} not added: ${formatTitles(failed)}` : ''}`;
  return (
    <div className={actionBarClass}>
      <p role="status" className="min-w-0 grow basis-64 text-sm font-semibold">
        {statusText}
      </p>
      {failed.length > 0 && (
        <Button icon={<RotateCw />} onClick={melodies.add}>
          Try {formatMelodyCount(failed.length)} again
        </Button>
      )}
      {added > 0 && <UndoImportButton importId={current.id} count={added} onUndone={onUndone} />}
      <Button onClick={melodies.close}>Import another folder</Button>
      <ButtonLink href="/melodies" variant="primary">
        Open the library
      </ButtonLink>
    </div>
  );
}
