import { expect, test } from 'vitest';
import { pathAfterSignIn } from './sign-in-form.tsx';

test.each(['/', '/auth', '/forgot-password', '/reset-password'])(
  'signing in at %s leads home',
  (pathname) => {
    expect(pathAfterSignIn({ pathname, search: '?token=old' })).toBe('/');
  },
);

test('signing in anywhere else leads to the requested URL, with its query', () => {
  expect(pathAfterSignIn({ pathname: '/melodies', search: '?play=7' })).toBe('/melodies?play=7');
});
