import { expect, test } from 'vitest';
import { pathAfterSignIn } from './sign-in-form.tsx';

test.each(['/', '/auth', '/forgot-password', '/reset-password'])(
  'who signs in at %s comes home',
  (pathname) => {
    expect(pathAfterSignIn({ pathname, search: '?token=old' })).toBe('/');
  },
);

test('who signs in anywhere else comes to the address that was asked for, with its search', () => {
  expect(pathAfterSignIn({ pathname: '/melodies', search: '?play=7' })).toBe('/melodies?play=7');
});
