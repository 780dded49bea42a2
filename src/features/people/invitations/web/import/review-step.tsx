import { SEND_INVITES_FAILED_TITLE } from '../use-invite-form.ts';
import { joinSentences } from '#web/ui/sentences.ts';
import { Download, Send, Table2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { saveFile } from '#web/device/save-file.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { actionBarClass } from '#web/ui/action-bar.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Card } from '#web/ui/card.tsx';
import { FilterButton } from '#web/ui/filter-button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { resolveChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import { listUnknownLevelNames } from '#features/people/levels/web/level-names.ts';
import { UnknownLevelFields } from '#features/people/levels/web/unknown-level-fields.tsx';
import { hasRequiredColumns, type ColumnMapping, detectColumns } from './columns.ts';
import { ColumnsForm, describeFoundColumns } from './columns-form.tsx';
import { type PeopleImportRowGroup, describePeopleImportRow } from './row-status.ts';
import type { PeopleImport } from './import-draft.ts';
import { LevelsButton } from './levels-button.tsx';
import { PeopleTable } from './people-table.tsx';
import { createPeopleImportResultCsv } from './import-result-csv.ts';
import { useFocusIfLost } from '#web/ui/use-focus-if-lost.ts';
import type { PeopleTableRow, usePeopleImport } from './use-people-import.ts';

type PeopleImportReviewStepProps = {
  people: ReturnType<typeof usePeopleImport>;
  current: PeopleImport;
  levels: readonly Level[];
};

/** The second and third steps of the import: a table that shows the plan for each row, and later its result. */
export function PeopleImportReviewStep({ people, current, levels }: PeopleImportReviewStepProps) {
  const { shown, checks, sending } = people;
  const { isSending } = current;
  const [group, setGroup] = useState<PeopleImportRowGroup | null>(null);
  const [search, setSearch] = useState('');
  const { sendsMail } = usePageSettings();
  const groups = shown.map((each) => describePeopleImportRow(each, levels, sendsMail).group);
  const words = search.toLowerCase().trim();
  const rows = shown.filter(
    ({ row }, index) =>
      (group === null || groups[index] === group) &&
      (words === '' || [row.firstName, row.lastName, row.email].join(' ').toLowerCase().includes(words)),
  );
  const counts = (isSending ? SENT_GROUPS : GROUPS).map(
    ([each, label]) => [each, label, groups.filter((one) => one === each).length] as const,
  );
  return (
    <div className="pb-4">
      <ReviewHeader {...{ people, current, levels }} />
      {checks.failure && (
        <Notice tone="danger" title={checks.failure} className="mb-4">
          <Button className="mt-2" onClick={checks.tryAgain}>
            Try again
          </Button>
        </Notice>
      )}
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div role="group" aria-label="Show" className="flex flex-wrap gap-2">
          <FilterButton isOn={group === null} onPress={() => setGroup(null)}>
            All {shown.length.toLocaleString('en')}
          </FilterButton>
          {counts.map(
            ([each, label, count]) =>
              (count > 0 || group === each) && (
                <FilterButton
                  key={each}
                  isOn={group === each}
                  onPress={() => setGroup(group === each ? null : each)}
                >
                  {count.toLocaleString('en')} {label}
                </FilterButton>
              ),
          )}
        </div>
        <TextField
          label="Search the list"
          placeholder="Search the list"
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="w-full sm:w-64 [&_input]:h-11! [&>label]:sr-only"
        />
      </div>
      <PeopleTable
        key={`${group} ${words}`}
        rows={rows}
        levels={levels}
        isSending={isSending}
        onChange={people.changeRow}
      />
      {isSending ? <ResultBar {...{ people, levels }} /> : <SendBar {...{ people, sending }} />}
    </div>
  );
}

const GROUPS: readonly [PeopleImportRowGroup, string][] = [
  ['new', 'new'],
  ['here', 'existing or duplicate'],
  ['wrong', 'to fix'],
  ['other', 'skipped'],
];
const SENT_GROUPS: readonly [PeopleImportRowGroup, string][] = [
  ['new', 'invited'],
  ['waiting', 'not sent yet'],
  ['here', 'existing or duplicate'],
  ['failed', 'not invited'],
  ['wrong', 'to fix'],
  ['other', 'skipped'],
];

function ReviewHeader({ people, current, levels }: PeopleImportReviewStepProps) {
  const { source } = people;
  const [columns, setColumns] = useState<ColumnMapping | null>(() => source && detectColumns(source.table));
  const [isOpen, setIsOpen] = useState(() => columns !== null && !hasRequiredColumns(columns));
  const { name, rows, isSending } = current;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusIfLost(heading, isSending);
  return (
    <Card className="mb-2 lg:px-5! lg:py-1!">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Table2 className="size-6 shrink-0 text-soft max-sm:hidden" />
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="font-sans text-base font-semibold break-words">
            {name ?? 'Pasted rows'}
          </h2>
          <p className="text-sm text-soft">
            {rows.length.toLocaleString('en')} {rows.length === 1 ? 'person' : 'people'}
            {columns && ` · columns found: ${describeFoundColumns(columns) || 'none'}`}
          </p>
        </div>
        {source && !isSending && (
          <Button
            variant="quiet"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="-ms-4 min-h-11! text-lapis!"
          >
            Change columns
          </Button>
        )}
        {!isSending && (
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 sm:ms-auto">
            <p className="text-sm font-semibold">Levels for everyone</p>
            <LevelsButton
              ownerName="everyone"
              levels={levels}
              selected={resolveChosenLevels(current.levels, levels)}
              onChange={people.chooseLevels}
              className="min-h-11! max-w-72"
            />
          </div>
        )}
      </div>
      {!isSending && (
        <UnknownLevelFields
          names={listUnknownLevelNames(
            rows.flatMap(({ levelNames = [] }) => levelNames),
            levels,
          )}
          noun={(count) => (count === 1 ? 'person' : 'people')}
          offersEverybody
          {...{ levels, meanings: current.levelMeanings, onChange: people.chooseMeanings }}
        />
      )}
      {source && isOpen && !isSending && (
        <ColumnsForm
          table={source.table}
          onChange={(chosen) => {
            setColumns(chosen);
            people.chooseColumns(chosen);
          }}
        />
      )}
    </Card>
  );
}

function SendBar({
  people,
  sending,
}: Pick<PeopleImportReviewStepProps, 'people'> & {
  sending: PeopleImportReviewStepProps['people']['sending'];
}) {
  const { shown, checks } = people;
  const { sendsMail } = usePageSettings();
  const [isAsking, setIsAsking] = useState(false);
  const ready = shown.filter(({ isSent }) => isSent);
  const mails = ready.filter(({ plan }) => plan.kind === 'new').length;
  const isReady = ready.length > 0 && !checks.isChecking && checks.failure === null;
  const status = checks.isChecking
    ? 'Checking who already has an account…'
    : `${ready.length.toLocaleString('en')} of ${shown.length.toLocaleString('en')} ready`;
  return (
    <div className={`${actionBarClass} py-1.5!`}>
      <div className="min-w-0 grow basis-40">
        <p className="text-sm font-semibold">{status}</p>
        <p className="text-sm text-soft">
          {mails.toLocaleString('en')} {mails === 1 ? 'email' : 'emails'}
          {!sendsMail && mails > 0 && ' to pass on'}
        </p>
        <ScreenReaderAnnouncement text={status} />
      </div>
      <Button onClick={() => setIsAsking(true)}>Cancel</Button>
      <Button
        variant="primary"
        icon={<Send />}
        isInactive={!isReady}
        busy={sending.isRunning}
        onClick={people.send}
        className="max-sm:w-full"
      >
        Invite {ready.length.toLocaleString('en')} {ready.length === 1 ? 'person' : 'people'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Discard this list?"
        note={`${
          shown.some(({ row }) => row.outcome) ? 'Invited people stay invited.' : 'Nothing has been sent.'
        } Your file doesn’t change, but your corrections here are lost.`}
        confirmLabel="Discard"
        cancelLabel="Keep list"
        onConfirm={people.discard}
      />
    </div>
  );
}

function ResultBar({ people, levels }: Pick<PeopleImportReviewStepProps, 'people' | 'levels'>) {
  const { shown, sending } = people;
  const { sendsMail } = usePageSettings();
  const remaining = shown.filter(({ isSent }) => isSent);
  const done = shown.filter(({ row }) => row.outcome !== null);
  const failed = shown.filter(({ row, plan }) =>
    row.outcome ? row.outcome.kind === 'failed' : plan.kind === 'wrong',
  );
  const total = done.length + remaining.length;
  const isOver = remaining.length === 0 && !sending.isRunning;
  const status = isOver ? summarizeResults(done) : `${done.length} of ${total} done`;
  const download = () => saveFile(createPeopleImportResultCsv(shown, levels, sendsMail), 'invitations.csv');
  return (
    <div className={`${actionBarClass} py-1.5!`}>
      <div className="min-w-0 grow basis-64">
        <p className="text-sm font-semibold">{status}</p>
        <ProgressBar aria-label="Sent" value={done.length} max={Math.max(total, 1)} className="mt-1.5 h-2" />
        <ScreenReaderAnnouncement text={isOver ? status : ''} />
        {sending.failure && (
          <p role="alert" className="text-sm text-danger">
            {joinSentences(
              SEND_INVITES_FAILED_TITLE,
              joinSentences(sending.failure, 'Nothing is lost, and nobody is invited twice.'),
            )}
          </p>
        )}
      </div>
      {!isOver && !sending.isRunning && (
        <Button variant="primary" onClick={people.send}>
          Invite the remaining {remaining.length.toLocaleString('en')}
        </Button>
      )}
      {isOver && failed.length > 0 && (
        <Button onClick={people.tryFailedAgain}>
          Fix {failed.length.toLocaleString('en')} and try again
        </Button>
      )}
      {!sending.isRunning && (
        <Button icon={<Download />} onClick={download}>
          Download results
        </Button>
      )}
      {isOver && (
        <Button variant="primary" onClick={people.close}>
          Import another list
        </Button>
      )}
    </div>
  );
}

function summarizeResults(done: readonly PeopleTableRow[]) {
  const count = (kind: string) => done.filter(({ row }) => row.outcome?.kind === kind).length;
  const parts = [
    [count('invited'), 'invited'],
    [count('granted'), 'got new levels'],
    [count('failed'), 'failed'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number.toLocaleString('en')} ${what}`)
    .join(', ');
}
