import { useState } from 'react';
import type { Level } from '#features/people/levels/contract.ts';
import { ChooseTable } from './choose-table.tsx';
import { LookOver } from './look-over.tsx';
import { Steps } from '#web/ui/steps.tsx';
import type { Table } from '#web/tables/table.ts';
import { useImport } from './use-import.ts';

export type ImportPanelProps = {
  levels: readonly Level[];
  /** What was pasted elsewhere on the page and turned out to be a table. */
  pasted: string | null;
  onPastedTaken: () => void;
};

/** Many people at once: a table is chosen, looked over, and sent. */
export default function ImportPanel({ levels, pasted, onPastedTaken }: ImportPanelProps) {
  const people = useImport(levels);
  const { current } = people;
  /** How many tables have been opened: each is looked over from its beginning. */
  const [opened, setOpened] = useState(0);
  const open = (table: Table, name: string | null) => {
    people.open(table, name);
    setOpened(opened + 1);
  };
  return (
    <>
      <Steps
        steps={['Choose a file', 'Look over', 'Done']}
        at={current === null ? 0 : current.isSending ? 2 : 1}
      />
      {/* What is pasted over a table that is being looked over would lose it. */}
      {current === null || pasted !== null ? (
        <ChooseTable
          pasted={pasted}
          onTable={(table, name) => {
            open(table, name);
            onPastedTaken();
          }}
          onGivenUp={current === null ? null : onPastedTaken}
        />
      ) : (
        <LookOver key={opened} people={people} current={current} levels={levels} />
      )}
    </>
  );
}
