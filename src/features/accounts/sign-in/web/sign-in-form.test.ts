import { expect, onTestFinished, test, vi } from 'vitest';
import { getSignInNote, storeReturnPath } from '#web/navigation/return-to.ts';
import { consumePathAfterSignIn } from './sign-in-form.tsx';

test.each(['/', '/auth', '/forgot-password', '/reset-password'])(
  'signing in at %s opens the home page',
  (pathname) => {
    expect(consumePathAfterSignIn({ pathname, search: '?token=old' })).toBe('/');
  },
);

test('signing in at the URL of a page opens that page, with its query', () => {
  expect(consumePathAfterSignIn({ pathname: '/melodies', search: '?play=7' })).toBe('/melodies?play=7');
});

test('signing in after a lost session returns to the earlier page only once', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  storeReturnPath({ pathname: '/submit', search: '?player=7' }, 'It is safe here.');
  expect(getSignInNote()).toBe('It is safe here.');
  expect(consumePathAfterSignIn({ pathname: '/auth', search: '' })).toBe('/submit?player=7');
  expect(consumePathAfterSignIn({ pathname: '/auth', search: '' })).toBe('/');
  // The note is not shown again to the next person who opens the page.
  expect(getSignInNote()).toBeUndefined();
});

test('signing in never opens another site', () => {
  expect(consumePathAfterSignIn({ pathname: '//elsewhere.example/melodies', search: '' })).toBe(
    '/elsewhere.example/melodies',
  );
});
