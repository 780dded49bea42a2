import { useState } from 'react';
import type { Level } from '#features/people/levels/contract.ts';
import { ChooseTableStep } from './choose-table-step.tsx';
import { PeopleImportReviewStep } from './review-step.tsx';
import { StepIndicator } from '#web/ui/step-indicator.tsx';
import type { Table } from '#web/tables/table.ts';
import { usePeopleImport } from './use-people-import.ts';

export type PeopleImportPanelProps = {
  levels: readonly Level[];
  /** Text that was pasted into another field of the page and turned out to be a table; null if none was. */
  pasted: string | null;
  onPastedTaken: () => void;
};

/** Imports many people: choose a table, check it, send it. */
export default function PeopleImportPanel({ levels, pasted, onPastedTaken }: PeopleImportPanelProps) {
  const people = usePeopleImport(levels);
  const { current } = people;
  /** Number of tables opened so far. Used as the key that resets the review for each new table. */
  const [opened, setOpened] = useState(0);
  const open = (table: Table, name: string | null) => {
    people.open(table, name);
    setOpened(opened + 1);
  };
  return (
    <>
      <div className="@min-[58rem]:absolute @min-[58rem]:end-0 @min-[58rem]:top-2">
        <StepIndicator
          steps={['Choose a file', 'Review', 'Done']}
          at={current === null ? 0 : current.isSending ? 2 : 1}
        />
      </div>
      {/* If rows are pasted while a list is in progress, the page asks before replacing that list. */}
      {current === null || pasted !== null ? (
        <ChooseTableStep
          pasted={pasted}
          discarded={people.discarded}
          onTable={(table, name) => {
            open(table, name);
            onPastedTaken();
          }}
          onCancel={current === null ? null : onPastedTaken}
        />
      ) : (
        <PeopleImportReviewStep key={opened} people={people} current={current} levels={levels} />
      )}
    </>
  );
}
