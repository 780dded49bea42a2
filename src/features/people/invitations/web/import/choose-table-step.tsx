import { useEffect, useRef, useState } from 'react';
import { getErrorMessage } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { FileDropField } from '#web/ui/file-drop-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { MAX_PEOPLE_IMPORT_BYTES, MAX_PEOPLE_IMPORT_ROWS } from '#features/people/invitations/limits.ts';
import { detectColumns } from './columns.ts';
import { extractPeople } from './extract-people.ts';
import { LIST_DISCARDED_TITLE } from './use-people-import.ts';
import { TableError, type Table } from '#web/tables/table.ts';
import { useFocusIfLost } from '#web/ui/use-focus-if-lost.ts';

type ChooseTableStepProps = {
  pasted: string | null;
  /** Message about a list that has just been discarded; null if there is none. */
  discarded: string | null;
  /**
   * Called with the table, unless it is empty or too long.
   * @param name the file's name, or null for pasted rows
   */
  onTable: (table: Table, name: string | null) => void;
  /** Called to return to the list in progress; null if there is no such list. */
  onCancel: (() => void) | null;
};

/** First step of the import: choosing a file or pasting rows. */
export function ChooseTableStep({ pasted, discarded, onTable, onCancel }: ChooseTableStepProps) {
  const place = useRef<HTMLDivElement>(null);
  useFocusIfLost(place, null);
  const [text, setText] = useState(pasted ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  // Pasted rows are read immediately, unless a list is already in progress.
  const readsPastedRows = onCancel === null && pasted !== null;
  const [isReading, setIsReading] = useState(readsPastedRows);

  const loadTable = async (loading: Promise<Table>, name: string | null) => {
    try {
      const table = await loading;
      assertListsPeople(table);
      onTable(table, name);
    } catch (error) {
      setProblem(
        error instanceof TableError ? error.message : getErrorMessage(error, 'Couldn’t read this list.'),
      );
    } finally {
      setIsReading(false);
    }
  };
  const startReading = (loading: Promise<Table>, name: string | null) => {
    setProblem(null);
    setIsReading(true);
    void loadTable(loading, name);
  };
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- only after the rows have been read
    if (readsPastedRows) void loadTable(parseTable(pasted), null);
  }, []); // oxlint-disable-line react/exhaustive-deps

  return (
    <Card
      ref={place}
      tabIndex={-1}
      as="section"
      aria-label="Choose a list"
      className="grid max-w-3xl gap-6 @min-[58rem]:mt-5"
    >
      {discarded && <Notice title={LIST_DISCARDED_TITLE}>{discarded}</Notice>}
      {onCancel && (
        <Notice tone="amber" isQuiet title="You have an unfinished list.">
          Another list would replace it.
        </Notice>
      )}
      <FileDropField
        label="A list of people"
        hint={`CSV, TSV or Excel (.xlsx) with emails, names and, if you like, levels. Up to ${MAX_PEOPLE_IMPORT_ROWS.toLocaleString('en')} people. You review the list before anything is sent.`}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        file={null}
        disabled={isReading}
        onChange={(file) => {
          if (file) startReading(readTableFile(file), file.name);
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
          isInactive={text.trim() === ''}
          onClick={() => startReading(parseTable(text), null)}
        >
          Use these rows
        </Button>
        {onCancel && <Button onClick={onCancel}>Keep the unfinished list</Button>}
      </div>
    </Card>
  );
}

const parseTable = async (text: string) =>
  (await import('#web/tables/parse-text-table.ts')).parseTextTable(text);
const readTableFile = async (file: File) =>
  (await import('#web/tables/read-table.ts')).readTable(file, MAX_PEOPLE_IMPORT_BYTES);

/** Rows allowed in addition to MAX_PEOPLE_IMPORT_ROWS, because a table may also contain titles and headings. */
const EXTRA_ROWS = 20;

/** @throws TableError if the table is empty or too long; its message is shown to the teacher */
function assertListsPeople(table: Table) {
  const { length } = extractPeople(table, detectColumns(table));
  const filled = table.filter((row) => row.some((cell) => cell.trim() !== '')).length;
  if (filled === 0) throw new TableError('This list is empty.');
  if (length > MAX_PEOPLE_IMPORT_ROWS || filled > MAX_PEOPLE_IMPORT_ROWS + EXTRA_ROWS) {
    throw new TableError(
      `This list has ${Math.max(length, filled).toLocaleString('en')} rows. You can import at most ${MAX_PEOPLE_IMPORT_ROWS.toLocaleString('en')} people at once, so please split it.`,
    );
  }
}
