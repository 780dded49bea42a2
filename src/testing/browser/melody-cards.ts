import { page } from './screen.ts';

const items = page.css('main [role=listitem]');

/** The cards of the library, without the note that replaces a removed card. */
export const melodyCards = items.filter({ has: page.getByRole('heading', { level: 2 }) });

export const melodyTitles = melodyCards.getByRole('heading', { level: 2 });

export const findMelodyCard = (title: string) =>
  items.filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
