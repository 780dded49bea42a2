import { prerender } from 'react-dom/static';
import { keepAnswers, type PageData } from './platform/web/page-data.ts';
import { queryClientForRequest } from './platform/web/query-client.ts';
import { Root } from './root.tsx';
import { preloadPage } from './routes.tsx';

/**
 * The first screen of a page as HTML, from the JSON that goes to the browser with it, so that both come to the same.
 * Built for the server; whatever holds data is made anew for each call.
 * @throws whatever a component threw
 */
export async function render(path: string, search: string, json: string): Promise<string> {
  const page = JSON.parse(json) as PageData;
  const client = queryClientForRequest();
  keepAnswers(client, page);
  await preloadPage(path);
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <Root client={client} page={page} at={{ ssrPath: path, ssrSearch: search }} />,
    // In one piece: parts that follow later would need scripts to put them in their places.
    { onError: (error) => void failures.push(error), progressiveChunkSize: Infinity },
  );
  const html = await new Response(prelude).text();
  if (failures.length > 0) throw failures[0];
  // The pictures are preloaded in the head already.
  return html.replace(/^(?:<link rel="preload"[^>]*>)+/, '');
}
