import { Notice } from '../ui/notice.tsx';
import type { ExportState } from './use-export.ts';

export const ExportOutcome = ({
  exportState: { outcome },
  className,
}: {
  exportState: Pick<ExportState, 'outcome'>;
  className?: string;
}) =>
  outcome && (
    <Notice tone={outcome.tone} title={outcome.title} className={className}>
      {outcome.text}
    </Notice>
  );
