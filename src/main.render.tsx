import { prerender } from 'react-dom/static';
import { registerWordsRenderer } from '#features/practice/web/player-placeholder.tsx';
import { ServerRenderedWords } from '#features/practice/web/server-rendered-words.tsx';
import { hydrateQueryCache, type PageData } from '#web/api/page-data.ts';
import { createQueryClientForRequest } from '#web/api/query-client.ts';
import { Root } from '#app/web/root.tsx';
import { preloadPage } from '#app/web/routes.tsx';

registerWordsRenderer(ServerRenderedWords);

/**
 * Renders the first screen of a page as HTML, from the JSON that is embedded in it, so that hydration
 * matches. Runs on the server, so everything that holds data is created for each call.
 * @throws whatever a component threw
 */
export async function render(path: string, search: string, json: string): Promise<string> {
  const page = JSON.parse(json) as PageData;
  const client = createQueryClientForRequest();
  hydrateQueryCache(client, page);
  await preloadPage(path);
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <Root client={client} page={page} at={{ ssrPath: path, ssrSearch: search }} />,
    // Renders the page as one chunk, because React needs inline scripts to move later chunks into place.
    { onError: (error) => void failures.push(error), progressiveChunkSize: Infinity },
  );
  const html = await new Response(prelude).text();
  if (failures.length > 0) throw failures[0];
  // Removes React's preload links, because the head already preloads the images.
  return html.replace(/^(?:<link rel="preload"[^>]*>)+/, '');
}
