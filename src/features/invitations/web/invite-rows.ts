import { saveDraft, loadDraft } from '../../../platform/web/draft-storage.ts';
import type { Level } from '../../levels/contract.ts';
import { type ChosenLevels, givenLevels } from '../../levels/web/chosen-levels.ts';
import type { Invite } from '../contract.ts';

/** One row of the form. `failure` is what the server said of it when it was last sent. */
export type InviteRow = Invite & { key: string; failure?: string | undefined };
/** A row as it was typed. */
export type TypedRow = Omit<InviteRow, 'transmissionLevels'> & { transmissionLevels: ChosenLevels };

export const newRow = (): TypedRow => ({
  key: crypto.getRandomValues(new Uint32Array(2)).join('-'),
  email: '',
  firstName: '',
  lastName: '',
  transmissionLevels: null,
});

export const withLevels = (row: TypedRow, levels: readonly Level[]): InviteRow => ({
  ...row,
  transmissionLevels: givenLevels(row.transmissionLevels, levels),
});

/** Only such rows are sent. */
export const isComplete = ({ email, firstName, lastName, transmissionLevels }: Invite) =>
  [email, firstName, lastName].every((text) => text.trim() !== '') && transmissionLevels.length > 0;

/** What was typed before a reload or a lost session; at least one row. */
export function keptRows(userId: string): TypedRow[] {
  const rows = parsedRows(loadDraft(userId, DRAFT));
  return rows.length > 0 ? rows : [newRow()];
}

/** Rows in which nobody is named are not worth keeping. */
export function keepRows(userId: string, rows: readonly TypedRow[]) {
  const isTyped = rows.some(({ email, firstName, lastName }) => email || firstName || lastName);
  saveDraft(userId, DRAFT, isTyped ? JSON.stringify(rows) : '');
}

const DRAFT = 'invites';

function parsedRows(kept: string): TypedRow[] {
  try {
    return kept === '' ? [] : (JSON.parse(kept) as TypedRow[]);
  } catch {
    return [];
  }
}
