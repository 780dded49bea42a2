import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import type { Level } from '../../levels/contract.ts';
import { tickedBeforehand } from '../../levels/web/level-checkboxes.tsx';
import type { Invite } from '../contract.ts';

/** One row of the form. `failure` is what the server said of it when it was last sent. */
export type InviteRow = Invite & { key: string; failure?: string | undefined };

export const newRow = (levels: readonly Level[]): InviteRow => ({
  key: crypto.getRandomValues(new Uint32Array(2)).join('-'),
  email: '',
  firstName: '',
  lastName: '',
  transmissionLevels: [...tickedBeforehand(levels)],
});

/** Only such rows are sent. */
export const isComplete = ({ email, firstName, lastName, transmissionLevels }: Invite) =>
  [email, firstName, lastName].every((text) => text.trim() !== '') && transmissionLevels.length > 0;

/** What was typed before a reload or a lost session; at least one row. */
export function keptRows(userId: string, levels: readonly Level[]): InviteRow[] {
  const known = new Set(levels.map(({ id }) => id));
  const rows = parsedRows(keptText(userId, DRAFT)).map((row) => ({
    ...row,
    transmissionLevels: row.transmissionLevels.filter((id) => known.has(id)),
  }));
  return rows.length > 0 ? rows : [newRow(levels)];
}

/** Rows in which nobody is named are not worth keeping. */
export function keepRows(userId: string, rows: readonly InviteRow[]) {
  const isTyped = rows.some(({ email, firstName, lastName }) => email || firstName || lastName);
  keepText(userId, DRAFT, isTyped ? JSON.stringify(rows) : '');
}

const DRAFT = 'invites';

function parsedRows(kept: string): InviteRow[] {
  try {
    return kept === '' ? [] : (JSON.parse(kept) as InviteRow[]);
  } catch {
    return [];
  }
}
