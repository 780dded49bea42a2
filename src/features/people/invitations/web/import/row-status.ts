import type { Level } from '#features/people/levels/contract.ts';
import type { PeopleTableRow } from './use-people-import.ts';

export type PeopleImportRowTone = 'new' | 'here' | 'wrong' | 'left';
/** Groups that the table can be filtered by. */
export type PeopleImportRowGroup = 'new' | 'here' | 'wrong' | 'failed' | 'waiting' | 'other';

/** Describes what will happen to a row or has happened to it. `tone` sets the text colour and icon. */
export function describePeopleImportRow(
  shown: PeopleTableRow,
  levels: readonly Level[],
  sendsMail: boolean,
): { tone: PeopleImportRowTone; group: PeopleImportRowGroup; text: string } {
  const { row, plan } = shown;
  const names = (ids: readonly number[]) =>
    levels
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => `“${name}”`)
      .join(', ');
  switch (row.outcome?.kind) {
    case 'invited':
      return { tone: 'new', group: 'new', text: 'Invited' };
    case 'granted':
      return { tone: 'here', group: 'here', text: 'Has an account: levels added' };
    case 'failed':
      return { tone: 'wrong', group: 'failed', text: `Not invited: ${row.outcome.text}` };
    case undefined:
  }
  if (shown.isWaiting) return { tone: 'left', group: 'waiting', text: 'Not sent yet' };
  switch (plan.kind) {
    case 'wrong':
      return { tone: 'wrong', group: 'wrong', text: Object.values(plan.problems).join('. ') };
    case 'twice':
      return { tone: 'here', group: 'here', text: `Duplicate of row ${plan.earlierRow}, skipped` };
    case 'without levels':
      return { tone: 'wrong', group: 'wrong', text: 'No level chosen' };
    case 'here': {
      if (row.isLeftOut) return { tone: 'left', group: 'here', text: 'Has an account, skipped' };
      if (plan.addedLevels.length > 0)
        return { tone: 'here', group: 'here', text: `Has an account: gets ${names(plan.addedLevels)}` };
      const isDisabled = plan.account.isActive ? '' : ' (disabled)';
      return { tone: 'here', group: 'here', text: `Has an account${isDisabled}: no change` };
    }
    case 'new':
      return row.isLeftOut
        ? { tone: 'left', group: 'other', text: 'Skipped' }
        : {
            tone: 'new',
            group: 'new',
            text: sendsMail ? 'New: gets an email' : 'New: you pass on their email',
          };
  }
}
