import { page } from './screen.ts';

const items = page.css('main [role=listitem]');

/** The cards of the library; what is said of one that has gone is none. */
export const cards = items.filter({ has: page.getByRole('heading', { level: 2 }) });

export const titles = cards.getByRole('heading', { level: 2 });

export const cardOf = (title: string) =>
  items.filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
