import { before } from '#web/ui/sentences.ts';
import { FolderOpen, Pause, Plus } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { actionBar } from '#web/ui/action-bar.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Announce } from '#web/ui/announce.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { Card } from '#web/ui/card.tsx';
import { FilterButton } from '#web/ui/filter-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Select } from '#web/ui/select.tsx';
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
  /** All chosen melodies have been added. */
  isDone: boolean;
};

/** Second and third step: a table of what will happen to each melody, and then of what has happened. */
export function LookOver({ melodies, current, levels, isDone }: LookOverProps) {
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
    <div className="pb-4">
      {folder && <Head {...{ melodies, current, levels }} />}
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
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
        <SearchField label="Search the list" value={search} onChange={setSearch} className="w-full sm:w-64" />
      </div>
      <MelodiesTable
        key={`${kind} ${words}`}
        rows={rows}
        levels={levels}
        isAdding={melodies.isRunning || isDone}
        onChange={melodies.changeRow}
      />
      {isDone ? <Done {...{ melodies, current }} /> : <ToAdd {...{ melodies, current }} />}
    </div>
  );
}

const KINDS: readonly [OutlookKind, string][] = [
  ['added', 'added'],
  ['matched', 'matched'],
  ['missing', 'something missing'],
  ['doubled', 'doubled'],
  ['wrong', 'to correct'],
  ['failed', 'not added'],
  ['away', 'without their files'],
];

function Head({ melodies, current, levels }: Pick<LookOverProps, 'melodies' | 'current' | 'levels'>) {
  const { folder, take, reading, isRunning, chooseLevel, problem } = melodies;
  const { left = [], contents = '' } = folder ?? {};
  const areNamed = current.rows.some(({ levelName }) => levelName !== '');
  const isNeeded = melodies.shown.some(({ level, row }) => level === null && row.levelName === '');
  return (
    <Card className="mb-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <FolderOpen className="size-6 shrink-0 text-soft max-sm:hidden" />
        <p className="min-w-0 font-semibold">{contents}</p>
        {!isRunning && (
          <FileInput label="Add more files" onFiles={(files) => void take(files)} isBusy={reading !== null} />
        )}
        <Select
          label={areNamed ? 'Level for the rest' : 'Level for all'}
          error={isNeeded ? 'Who may hear them?' : null}
          hint={areNamed ? 'The table names the level of some.' : null}
          value={current.levelId ?? ''}
          disabled={isRunning}
          onChange={({ target }) => chooseLevel(target.value === '' ? null : Number(target.value))}
          className="sm:ms-auto"
        >
          <option value="">Choose a level</option>
          {levels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
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
        <details className="mt-4 text-sm">
          <summary className="min-h-11 py-2 font-semibold">
            {left.length.toLocaleString('en')} {left.length === 1 ? 'file belongs' : 'files belong'} to no
            melody, or {left.length === 1 ? 'is' : 'are'} of a kind that is not taken
          </summary>
          <p className="wrap-anywhere text-soft">{left.slice(0, 100).join(', ')}</p>
        </details>
      )}
    </Card>
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
    ? 'Looking for what is there twice…'
    : current.isAdding
      ? `${added.toLocaleString('en')} of ${total.toLocaleString('en')} are added`
      : `${left.length.toLocaleString('en')} of ${shown.length.toLocaleString('en')} are ready`;
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
            {before(failure, 'Nothing is lost, and nothing is added twice.')}
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
              ? `Go on with ${left.length.toLocaleString('en')}`
              : `Add ${melodiesOf(left.length)}`}
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Put this import away?"
        note={`${added > 0 ? `${melodiesOf(added)} of it stay in the library. ` : 'Nothing has been added. '}Your files stay as they are; what you changed here is lost.`}
        confirmLabel="Put it away"
        cancelLabel="Keep it"
        onConfirm={melodies.close}
      />
    </div>
  );
}

function Done({ melodies, current }: Pick<LookOverProps, 'melodies' | 'current'>) {
  const added = countOf(melodies.shown, 'added');
  const said = `${melodiesOf(added)} ${added === 1 ? 'is' : 'are'} in the library`;
  return (
    <div className={actionBar}>
      <p role="status" className="min-w-0 grow basis-64 text-sm font-semibold">
        {said}
      </p>
      {added > 0 && <UndoImport importId={current.id} count={added} onUndone={melodies.close} />}
      <Button onClick={melodies.close}>Import another folder</Button>
      <ButtonLink href="/melodies" variant="primary">
        See the library
      </ButtonLink>
    </div>
  );
}
