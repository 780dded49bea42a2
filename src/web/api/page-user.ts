import { pageData } from './page-data.ts';

let id = (pageData.answers['/api/user'] as { id: string } | null | undefined)?.id ?? null;

/** Whose page this is; null before that is known, and for a visitor. Every call says so, and the server holds it to that. */
export const pageUser = (): string | null => id;

/** A page stays with whom it came for, also after signing out: signing in loads a new one. */
export function setPageUser(userId: string) {
  id ??= userId;
}
