import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { sendInBatches, type BulkResult, summarizeBulkResult } from '#web/api/bulk-change.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { explainError } from '#web/ui/sentences.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectionBar, BulkResultNotice } from '#web/ui/selection-bar.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { BulkMelodyChange } from '#features/melodies/contract.ts';
import { MAX_BULK_MELODIES } from '#features/melodies/limits.ts';
import { updateCachedLibrary } from '#features/melodies/web/library-query.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { type LibraryTableRow, describeMelodyDeletion } from './table-rows.ts';

type BulkMelodyActionsProps = {
  ticked: readonly LibraryTableRow[];
  /** The rows that can be selected. */
  shown: readonly LibraryTableRow[];
  levels: readonly Level[];
  onTick: (ids: readonly number[]) => void;
};

/** Bulk actions for all selected melodies. */
export function BulkMelodyActions({ ticked, shown, levels, onTick }: BulkMelodyActionsProps) {
  const [asked, setAsked] = useState<{ change: BulkMelodyChange; rows: readonly LibraryTableRow[] } | null>(
    null,
  );
  const [done, setDone] = useState<BulkResult<number> | null>(null);
  const ask = (change: BulkMelodyChange) => {
    setDone(null);
    setAsked({ change, rows: ticked });
  };
  const Question = asked?.change === 'delete' ? DeleteQuestion : LevelQuestion;
  return (
    <div className="mb-3">
      <SelectionBar
        count={ticked.length}
        all="Select all"
        none="Clear selection"
        isInactive={shown.length === 0}
        onAll={() => onTick(shown.map(({ melody }) => melody.id))}
        onNone={() => onTick([])}
      >
        <Button variant="quiet" aria-haspopup="dialog" onClick={() => ask('level')} className="px-3">
          Change level
        </Button>
        <Button variant="quiet" aria-haspopup="dialog" onClick={() => ask('delete')} className="px-3">
          Delete
        </Button>
      </SelectionBar>
      {done && <BulkResultNotice done={done} />}
      {asked && (
        <Question
          rows={asked.rows}
          levels={levels}
          onClose={() => setAsked(null)}
          onDone={(what) => {
            setDone(what);
            setAsked(null);
            onTick([]);
          }}
        />
      )}
    </div>
  );
}

type QuestionProps = {
  rows: readonly LibraryTableRow[];
  levels: readonly Level[];
  onClose: () => void;
  onDone: (done: BulkResult<number>) => void;
};

function LevelQuestion({ rows, levels, onClose, onDone }: QuestionProps) {
  const [level, setLevel] = useState<number | null>(null);
  const name = levels.find(({ id }) => id === level)?.name ?? '';
  const changing = useBulkChange(rows, `moved to ${name}`, onDone);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Change level of ${formatMelodies(rows)}`}
      description="Only people with the new level will hear them."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={changing.isPending}
            isInactive={level === null}
            onClick={() => changing.mutate({ change: 'level', transmissionLevelId: level! })}
          >
            Change level
          </Button>
        </>
      }
    >
      <Select
        label="Transmission level"
        value={level ?? ''}
        onChange={({ target }) => setLevel(Number(target.value) || null)}
      >
        <option value="">Choose a level</option>
        {levels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Failure title="Failed to update melodies" of={changing} />
    </Dialog>
  );
}

function DeleteQuestion({ rows, onClose, onDone }: QuestionProps) {
  const deleting = useBulkChange(rows, 'deleted', onDone);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Delete ${formatMelodies(rows)}?`}
      description={describeMelodyDeletion(rows)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            busy={deleting.isPending}
            onClick={() => deleting.mutate({ change: 'delete' })}
          >
            Delete
          </Button>
        </>
      }
    >
      {rows.length > 1 && (
        <ul
          aria-label="Melodies to delete"
          tabIndex={0}
          className="max-h-[35dvh] list-disc overflow-y-auto rounded-md bg-sunk py-2 ps-9 pe-4 text-sm"
        >
          {rows.map(({ melody: { id, title } }) => (
            <li key={id} className="py-0.5 wrap-anywhere">
              <span {...getLangProps(title)}>{title}</span>
            </li>
          ))}
        </ul>
      )}
      <Failure title="Failed to delete melodies" of={deleting} />
    </Dialog>
  );
}

type Change = { change: BulkMelodyChange; transmissionLevelId?: number };

function useBulkChange(rows: readonly LibraryTableRow[], done: string, onDone: QuestionProps['onDone']) {
  const names = new Map(rows.map(({ melody }) => [melody.id, melody.title]));
  return useMutation({
    mutationFn: (change: Change) =>
      sendInBatches([...names.keys()], MAX_BULK_MELODIES, (melodyIds) =>
        callApi('POST /api/melodies/changes', { body: { melodyIds, ...change } }),
      ),
    onSuccess: (results, { change }) => {
      const changed = new Set(results.flatMap(({ id, ok }) => (ok ? [id] : [])));
      if (change === 'delete') updateCachedLibrary((all) => all.filter(({ id }) => !changed.has(id)));
      onDone(summarizeBulkResult(results, names, done));
    },
    // Also refreshes after a failure, because some of several requests may have succeeded.
    onSettled: () => refreshQueries(['/api/melodies', '/api/admin/transmission-levels']),
  });
}

const Failure = ({ title, of }: { title: string; of: ReturnType<typeof useBulkChange> }) =>
  of.isError && (
    <Notice tone="danger" title={title} className="mt-3">
      {explainError(of.error, 'Something went wrong.', 'You can safely try again. Nothing is changed twice.')}
    </Notice>
  );

const formatMelodies = (rows: readonly LibraryTableRow[]) =>
  rows.length === 1 ? `“${rows[0]!.melody.title}”` : `${rows.length.toLocaleString('en')} melodies`;
