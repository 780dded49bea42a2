import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { explainMissingPrograms } from '../scripts/find-program.js';
import { findFreePort } from '#testing/free-port.ts';
import { buildButtonXPath, buildFieldXPath } from './xpath.ts';

const VIEW = join(import.meta.dirname, 'webkit-view.py');
const PACKAGES = 'webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb';

/** Sentence about what is not installed on this machine; null if nothing is missing. */
export const WEBKIT_UNAVAILABLE_REASON =
  explainMissingPrograms(['WebKitWebDriver', 'Xvfb'], PACKAGES) ??
  (existsSync('/usr/bin/python3') ? null : `there is no /usr/bin/python3 (Debian: ${PACKAGES})`);

/** Key that identifies an element reference in the WebDriver protocol. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Same as Playwright's timeout for assertions in these tests. */
const TIMEOUT_MS = 30_000;

/** Starts WebKitGTK through WebDriver, in a view of 390×844 px with a fake microphone that beeps. */
export async function launchWebKit() {
  const started: ChildProcess[] = [];
  const start = (program: string, args: string[], environment: NodeJS.ProcessEnv) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...environment },
      // Creates a process group, so that `end` also kills the view and its processes, which outlive the driver.
      detached: true,
    });
    started.push(child);
    return child;
  };
  /** Virtual display. Xvfb chooses a free display number and prints it. */
  const screen = start('Xvfb', ['-displayfd', '3', '-screen', '0', '800x1000x24', '-nolisten', 'tcp'], {});
  const display = await readFirstLine(screen);
  const port = await findFreePort();
  start('WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: `:${display}`,
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  });
  await pollUntil(async () => (await ask('GET', '/status')) !== undefined);
  const { sessionId } = (await ask('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: VIEW, args: [] } } },
  })) as { sessionId: string };
  const session = (method: string, path: string, body?: object) =>
    ask(method, `/session/${sessionId}${path}`, body);

  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  async function evaluate<A, R>(run: (argument: A) => R | Promise<R>, argument: A): Promise<R> {
    const script = `const done = arguments[1]; Promise.resolve((${run.toString()})(arguments[0])).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = (await session('POST', '/execute/async', { script, args: [argument] })) as {
      value: R;
      error?: string;
    };
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** Waits until an element is shown and enabled, and returns its id. */
  async function find(xpath: string): Promise<string> {
    let found = '';
    await pollUntil(async () => {
      const [element] = (await session('POST', '/elements', { using: 'xpath', value: xpath })) as object[];
      found = element ? String(Object.values(element)[0]) : '';
      return (
        found !== '' &&
        (await session('GET', `/element/${found}/displayed`)) === true &&
        (await session('GET', `/element/${found}/enabled`)) === true
      );
    }, xpath);
    return found;
  }

  return {
    goto: (url: string) => session('POST', '/url', { url }),
    evaluate,
    async fill(label: string, text: string) {
      const field = await find(buildFieldXPath(label));
      await session('POST', `/element/${field}/clear`, {});
      await session('POST', `/element/${field}/value`, { text });
    },
    async press(name: string, within?: string) {
      const button = await find(buildButtonXPath(name, within));
      const element = { [ELEMENT]: button } as unknown as Element;
      // Waits until the button is at rest, because the driver clicks where it found the button, even if
      // something else is there by then.
      const isReached = () => evaluate(isAtRest, element);
      await pollUntil(isReached, `'${name}' to press`);
      await evaluate(noteNextClick, element);
      await session('POST', `/element/${button}/click`, {});
      const clicked = await evaluate(getClickedElement, null);
      if (clicked !== 'it') throw new Error(`'${name}' was pressed, and the page heard of ${clicked}.`);
    },
    async sees(text: string) {
      const isSeen = () => evaluate((wanted) => document.body.innerText.includes(wanted), text);
      await pollUntil(isSeen, text).catch(async (cause: unknown) => {
        const said = await evaluate(() => document.body.innerText, null);
        throw new Error(`'${text}' did not come. The page says: ${said}`, { cause });
      });
    },
    async end() {
      await session('DELETE', '').catch(() => undefined);
      for (const { pid } of started.reverse()) if (pid) process.kill(-pid, 'SIGKILL');
    },
  };
}

function readFirstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${child.spawnfile} has ended.`)));
    child.stdio[3]!.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
}

/** Returns whether an element has stopped moving and nothing covers its centre. Runs in the browser. */
async function isAtRest(element: Element): Promise<boolean> {
  const place = () => element.getBoundingClientRect();
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const before = place();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { x, y, width, height } = place();
  const above = document.elementFromPoint(x + width / 2, y + height / 2);
  return x === before.x && y === before.y && above !== null && element.contains(above);
}

type Noting = Window & { clicked?: string | null };

/** Records the target of the next click. Runs in the browser. */
function noteNextClick(element: Element): void {
  const noting = window as Noting;
  noting.clicked = null;
  const note = ({ target }: Event) => {
    const isIt = target instanceof Node && element.contains(target);
    noting.clicked = isIt ? 'it' : `a click on ${(target as Element).outerHTML}`;
  };
  document.addEventListener('click', note, { capture: true, once: true });
}

/**
 * Returns 'it' if the element was clicked, or if another page has loaded, because then the click opened that
 * page; otherwise a description of what was clicked. Runs in the browser.
 */
async function getClickedElement(): Promise<string> {
  const noting = window as Noting;
  const last = performance.now() + 2_000;
  while (noting.clicked === null && performance.now() < last)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return noting.clicked === undefined ? 'it' : (noting.clicked ?? 'nothing');
}

/** Polls until the condition holds. A check that throws is retried. */
async function pollUntil(isSo: () => Promise<boolean>, what = 'an answer'): Promise<void> {
  const last = Date.now() + TIMEOUT_MS;
  let failure: unknown;
  while (Date.now() < last) {
    try {
      if (await isSo()) return;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`There was no ${what} for ${TIMEOUT_MS / 1_000} s.`, { cause: failure });
}
