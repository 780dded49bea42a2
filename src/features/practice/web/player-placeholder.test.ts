import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PlayerPlaceholder } from './player-placeholder.tsx';

const renderFailure = (error: unknown) =>
  renderToStaticMarkup(
    createElement(PlayerPlaceholder, {
      melody: undefined,
      start: { at: null, line: null, rate: null },
      onClose: () => undefined,
      loading: { isError: true, error, isFetching: false, refetch: () => undefined },
    }),
  );

test('blames the connection only if the player’s code can’t be fetched', () => {
  const missing = new TypeError('Failed to fetch dynamically imported module: /assets/player-overlay.js');
  expect(renderFailure(missing)).toContain('Your connection may be poor. You can still use the library.');
  const broken = renderFailure(new TypeError('x is not a function'));
  expect(broken).toContain('Something went wrong on this page. Please reload it.');
  expect(broken).not.toContain('connection');
});
