import { before } from '#web/ui/sentences.ts';
import { Pause, Plus, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { clsx } from 'clsx';
import { actionBar } from '#web/ui/action-bar.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Announce } from '#web/ui/announce.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { box } from '#web/ui/field.tsx';
import { FilterButton } from '#web/ui/filter-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { unknownNames } from '#features/people/levels/web/level-names.ts';
import { UnknownLevels } from '#features/people/levels/web/unknown-levels.tsx';
import { UndoImport } from './earlier-imports.tsx';
import type { Import } from './import-draft.ts';
import { FileInput } from './file-input.tsx';
import { MelodiesTable } from './melodies-table.tsx';
import type { OutlookKind } from './import-plan.ts';
import type { MelodyImport, Shown } from './use-import.ts';

type LookOverProps = {
  melodies: MelodyImport;
  current: Import;
  levels: readonly Level[];
  /** Every chosen melody has been added or has failed. */
  isDone: boolean;
  /** @param count melodies removed from the library */
  onUndone: (count: number) => void;
};

/** Second and third step: a table of what will happen to each melody, and then of what has happened. */
export function LookOver({ melodies, current, levels, isDone, onUndone }: LookOverProps) {
  const { shown, folder } = melodies;
  const [kind, setKind] = useState<OutlookKind | null>(null);
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const rows = shown.flatMap((each, index) =>
    (kind === null || each.outlook.kind === kind) &&
    (words === '' || each.row.title.toLowerCase().includes(words))
      ? [{ ...each, number: index + 1 }]
      : [],
  );
  return (
    <div data-reviewing={folder && !isDone ? '' : undefined} className="pb-4">
      {folder && <Head {...{ melodies, current, levels }} />}
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div role="group" aria-label="Show" className="flex flex-wrap gap-2">
          <FilterButton isOn={kind === null} onPress={() => setKind(null)}>
            All {shown.length.toLocaleString('en')}
          </FilterButton>
          {KINDS.map(([each, label]) => {
            const count = shown.filter(({ outlook }) => outlook.kind === each).length;
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
      <MelodiesTable
        key={`${kind} ${words}`}
        rows={rows}
        levels={levels}
        isAdding={melodies.isRunning}
        onChange={melodies.changeRow}
      />
      {isDone ? <Done {...{ melodies, current, onUndone }} /> : <ToAdd {...{ melodies, current }} />}
    </div>
  );
}

const KINDS: readonly [OutlookKind, string][] = [
  ['added', 'added'],
  ['matched', 'complete'],
  ['missing', 'incomplete'],
  ['doubled', 'already there'],
  ['wrong', 'to fix'],
  ['failed', 'not added'],
  ['away', 'without files'],
];

function Head({ melodies, current, levels }: Pick<LookOverProps, 'melodies' | 'current' | 'levels'>) {
  const { folder, take, reading, isRunning, chooseLevel, problem } = melodies;
  const { left = [], contents = '' } = folder ?? {};
  const areNamed = current.rows.some(({ levelName }) => levelName !== '');
  const isNeeded = melodies.shown.some(({ level, row }) => level === null && row.levelName === '');
  return (
    <div className="mb-1.5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <p className="min-w-0 font-semibold">{contents}</p>
        {!isRunning && (
          <FileInput label="Add more files" onFiles={(files) => void take(files)} isBusy={reading !== null} />
        )}
        <label className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 sm:ms-auto">
          <span className="text-sm font-semibold">{areNamed ? 'Level for the rest' : 'Level for all'}</span>
          <select
            value={current.levelId ?? ''}
            disabled={isRunning}
            aria-invalid={isNeeded || undefined}
            aria-describedby={isNeeded ? 'level-needed' : undefined}
            onChange={({ target }) => chooseLevel(target.value === '' ? null : Number(target.value))}
            className={clsx(box, 'h-11 max-w-72')}
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
        <UnknownLevels
          names={unknownNames(
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
      {left.length > 0 && (
        <details className="text-sm">
          <summary className="min-h-11 py-2.5 font-semibold">
            {left.length.toLocaleString('en')} {left.length === 1 ? 'file' : 'files'} can’t be used
          </summary>
          <p className="wrap-anywhere text-soft">{left.slice(0, 100).join(', ')}</p>
        </details>
      )}
    </div>
  );
}

const melodiesOf = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'melody' : 'melodies'}`;
const countOf = (shown: readonly Shown[], kind: OutlookKind) =>
  shown.filter(({ outlook }) => outlook.kind === kind).length;

function ToAdd({ melodies, current }: Pick<LookOverProps, 'melodies' | 'current'>) {
  const { shown, isRunning, isLookingUp, sending, failure, folder } = melodies;
  const [isAsking, setIsAsking] = useState(false);
  const left = shown.filter(({ isChosen }) => isChosen);
  const added = countOf(shown, 'added');
  const total = added + left.length;
  const isReady = folder !== null && !isLookingUp && left.length > 0;
  const sendAhead = useEffectEvent(melodies.sendAhead);
  useEffect(() => {
    if (isReady) sendAhead();
  }, [isReady]);
  const said = isLookingUp
    ? 'Looking for duplicates…'
    : current.isAdding
      ? `${added.toLocaleString('en')} of ${total.toLocaleString('en')} added`
      : `${left.length.toLocaleString('en')} of ${shown.length.toLocaleString('en')} ready to add`;
  return (
    <div className={actionBar}>
      <div className="min-w-0 grow basis-64">
        <p className="text-sm font-semibold">
          {said}
          {isRunning && sending.step === 'waiting' && ', waiting for a connection'}
        </p>
        <Announce text={isRunning ? '' : said} />
        {current.isAdding && (
          <Progress
            aria-label="Added"
            value={added + (isRunning ? sending.fraction * 0.9 : 0)}
            max={Math.max(total, 1)}
            className="mt-1.5 h-2"
          />
        )}
        {failure && (
          <p role="alert" className="text-sm text-danger">
            {before(failure, 'Nothing was lost, and nothing will be added twice.')}
          </p>
        )}
      </div>
      {isRunning ? (
        <Button icon={<Pause />} onClick={melodies.pause}>
          Pause
        </Button>
      ) : (
        <>
          <Button onClick={() => setIsAsking(true)}>Cancel</Button>
          <Button
            variant="primary"
            icon={<Plus />}
            isSpent={!isReady}
            onClick={melodies.add}
            className="max-sm:w-full"
          >
            {current.isAdding
              ? `Add the remaining ${left.length.toLocaleString('en')}`
              : `Add ${melodiesOf(left.length)}`}
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Discard this import?"
        note={`${added > 0 ? `The ${melodiesOf(added)} already added will stay in the library. ` : 'Nothing has been added. '}Your own files aren’t changed. What you changed here will be lost.`}
        confirmLabel="Discard import"
        cancelLabel="Keep import"
        onConfirm={melodies.close}
      />
    </div>
  );
}

/** Returns the first titles, and how many more there are. */
function namesOf(rows: readonly Shown[]): string {
  const names = rows.slice(0, NAMED_MAX).map(({ row }) => `“${row.title}”`);
  const more = rows.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

const NAMED_MAX = 3;

function Done({ melodies, current, onUndone }: Pick<LookOverProps, 'melodies' | 'current' | 'onUndone'>) {
  const added = countOf(melodies.shown, 'added');
  const failed = melodies.shown.filter(({ outlook }) => outlook.kind === 'failed');
  const said = `${melodiesOf(added)} added to the library${failed.length > 0 ? `, ${failed.length.toLocaleString('en')} not added: ${namesOf(failed)}` : ''}`;
  return (
    <div className={actionBar}>
      <p role="status" className="min-w-0 grow basis-64 text-sm font-semibold">
        {said}
      </p>
      {failed.length > 0 && (
        <Button icon={<RotateCw />} onClick={melodies.add}>
          Try again with {failed.length.toLocaleString('en')}
        </Button>
      )}
      {added > 0 && <UndoImport importId={current.id} count={added} onUndone={onUndone} />}
      <Button onClick={melodies.close}>Import another folder</Button>
      <ButtonLink href="/melodies" variant="primary">
        Open the library
      </ButtonLink>
    </div>
  );
}
