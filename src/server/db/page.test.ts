import { expect, test } from 'vitest';
import { createPaginationHeaders } from '../http/pagination-headers.ts';
import { paginateById, paginate } from './page.ts';

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: 100 - at }));

test('the last page has no next page, even if it is full', () => {
  expect(paginateById(rows(3), 3, 3)).toEqual({ rows: rows(3), total: 3, next: null });
  expect(paginateById(rows(4), 3, 9)).toEqual({ rows: rows(3), total: 9, next: { before: 98 } });
  expect(paginateById([], 3, 0)).toEqual({ rows: [], total: 0, next: null });
});

test('the link to the next page has the same query with a new cursor', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const page = paginate(rows(2), 1, 1_234, ({ id }) => ({ after: [at, id] }));
  const headers = createPaginationHeaders('/api/x?q=l%C3%A2%26&after=old', page);
  expect(headers['x-total-count']).toBe('1234');
  const link = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
  const { pathname, searchParams } = new URL(link!, 'http://localhost');
  expect(pathname).toBe('/api/x');
  expect([...searchParams]).toEqual([
    ['q', 'lâ&'],
    ['after', '["2026-01-02T03:04:05.678Z",100]'],
  ]);
  expect(createPaginationHeaders('/api/x', { ...page, next: null })).toEqual({ 'x-total-count': '1234' });
});
