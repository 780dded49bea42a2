import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { IMPORT_BYTES_MAX, IMPORT_ROWS_MAX } from '#features/people/invitations/limits.ts';
import { columnsOf } from './columns.ts';
import { peopleIn } from './people.ts';
import { DISCARDED } from './use-import.ts';
import { NoTable, type Table } from '#web/tables/table.ts';
import { useFocusIfLost } from '#web/ui/use-focus-if-lost.ts';

type ChooseTableProps = {
  pasted: string | null;
  /** What became of a list that was discarded just now. */
  discarded: string | null;
  /**
   * Called with a table that names at least one person.
   * @param name the file's name, or null for pasted rows
   */
  onTable: (table: Table, name: string | null) => void;
  /** Returns to the list in progress; null if there isn't any. */
  onGivenUp: (() => void) | null;
};

/** The first step: choose a file or paste rows. */
export function ChooseTable({ pasted, discarded, onTable, onGivenUp }: ChooseTableProps) {
  const place = useRef<HTMLDivElement>(null);
  useFocusIfLost(place, null);
  const [text, setText] = useState(pasted ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  // Pasted rows are read immediately, unless a list is already in progress.
  const takesOver = onGivenUp === null && pasted !== null;
  const [isReading, setIsReading] = useState(takesOver);

  const take = async (loading: Promise<Table>, name: string | null) => {
    try {
      const table = await loading;
      mustBePeople(table);
      onTable(table, name);
    } catch (error) {
      setProblem(error instanceof NoTable ? error.message : sentenceOf(error, 'Couldn’t read this list.'));
    } finally {
      setIsReading(false);
    }
  };
  const read = (loading: Promise<Table>, name: string | null) => {
    setProblem(null);
    setIsReading(true);
    void take(loading, name);
  };
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- only after the rows have been read
    if (takesOver) void take(tableOf(pasted), null);
  }, []); // oxlint-disable-line react/exhaustive-deps

  return (
    <Card
      ref={place}
      tabIndex={-1}
      as="section"
      aria-label="Choose a list"
      className="grid max-w-3xl gap-6 @min-[58rem]:mt-5"
    >
      {discarded && <Notice title={DISCARDED}>{discarded}</Notice>}
      {onGivenUp && (
        <Notice tone="amber" isQuiet title="You have an unfinished list.">
          Another list would replace it.
        </Notice>
      )}
      <FileDrop
        label="A list of people"
        hint={`CSV, TSV or Excel (.xlsx) with emails, names and, if you like, levels. Up to ${IMPORT_ROWS_MAX.toLocaleString('en')} people. You review the list before anything is sent.`}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        file={null}
        disabled={isReading}
        onChange={(file) => {
          if (file) read(tableIn(file), file.name);
        }}
      />
      <TextArea
        label="Or paste rows from a spreadsheet"
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          busy={isReading}
          isSpent={text.trim() === ''}
          onClick={() => read(tableOf(text), null)}
        >
          Use these rows
        </Button>
        {onGivenUp && <Button onClick={onGivenUp}>Keep the unfinished list</Button>}
      </div>
    </Card>
  );
}

const tableOf = async (text: string) => (await import('#web/tables/table-of-text.ts')).tableOfText(text);
const tableIn = async (file: File) =>
  (await import('#web/tables/read-table.ts')).readTable(file, IMPORT_BYTES_MAX);

/** Allowance for titles, headings and the like: before the columns are known, any row may be a person. */
const FURTHER_ROWS = 20;

/** @throws NoTable with a message to show */
function mustBePeople(table: Table) {
  const { length } = peopleIn(table, columnsOf(table));
  const filled = table.filter((row) => row.some((cell) => cell.trim() !== '')).length;
  if (filled === 0) throw new NoTable('This list is empty.');
  if (length > IMPORT_ROWS_MAX || filled > IMPORT_ROWS_MAX + FURTHER_ROWS) {
    throw new NoTable(
      `This list has ${Math.max(length, filled).toLocaleString('en')} rows. You can import at most ${IMPORT_ROWS_MAX.toLocaleString('en')} people at once, so please split it.`,
    );
  }
}
