import type { ManyDone } from '../api/change-many.ts';
import { Notice } from './notice.tsx';

/** What became of a change to several things at once, with each that could not be changed. */
export const ManyDoneNotice = ({ done: { title, failures } }: { done: ManyDone<string | number> }) => (
  <Notice tone={failures.length > 0 ? 'danger' : 'success'} title={title} className="mt-2 w-full">
    {failures.length > 0 && (
      <ul>
        {failures.map(({ id, name, message }) => (
          <li key={id} className="break-words">
            <bdi>{name}</bdi>: {message}
          </li>
        ))}
      </ul>
    )}
  </Notice>
);
