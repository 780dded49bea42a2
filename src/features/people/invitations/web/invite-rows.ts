import type { FormDraftOptions } from '#web/drafts/form-draft.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { type ChosenLevels, resolveChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import type { Invite } from '../contract.ts';

/** A row of the form. `failure` is the server's error from the last attempt to send it. */
export type InviteRow = Omit<Invite, 'lastName' | 'clientId'> & {
  lastName: string;
  key: string;
  failure?: string | undefined;
};
/** A row as typed, with null levels until the teacher changes a checkbox. */
export type InviteRowDraft = Omit<InviteRow, 'transmissionLevels'> & { transmissionLevels: ChosenLevels };

export const createInviteRow = (): InviteRowDraft => ({
  key: crypto.getRandomValues(new Uint32Array(2)).join('-'),
  email: '',
  firstName: '',
  lastName: '',
  transmissionLevels: null,
});

export const resolveRowLevels = (row: InviteRowDraft, levels: readonly Level[]): InviteRow => ({
  ...row,
  transmissionLevels: resolveChosenLevels(row.transmissionLevels, levels),
});

/** Returns whether all fields are filled. Only complete rows are sent. */
export const isInviteComplete = ({ email, firstName, lastName, transmissionLevels }: InviteRow) =>
  [email, firstName, lastName].every((text) => text.trim() !== '') && transmissionLevels.length > 0;

/** Draft of the invites. It always has at least one row. */
export const invitesDraftOptions: FormDraftOptions<readonly InviteRowDraft[]> = {
  name: 'invites',
  restore: (kept) => (kept === null ? [createInviteRow()] : (kept as InviteRowDraft[])),
  // Stores nothing until a row has an email or a name, because levels alone are not worth storing.
  toStored: (rows) =>
    rows.some(({ email, firstName, lastName }) => email || firstName || lastName) ? rows : null,
};
