import { useMutation } from '@tanstack/react-query';
import { formatByteSize } from '#shared/byte-size.ts';
import { getErrorMessage } from '../api/call.ts';
import { toast } from '../ui/toasts.ts';

export type ExportSize = {
  /** For example '34 recordings and 12 replies'; null if there is nothing to download. */
  contents: string | null;
  bytes: number;
};

const DOWNLOAD_STARTED = 'Download started.';
const DOWNLOAD_FAILED = 'The download couldn’t start.';
const NOTHING_TO_DOWNLOAD = 'There is nothing to download yet.';

export type ExportState = ReturnType<typeof useExport>;

/**
 * Returns the state of an archive's download, with `begin()` to start it. `begin()` first requests the
 * archive's size, which fails for the same reasons as the download. The page can then show the reason, whereas
 * the browser would only show that the download failed.
 */
export function useExport(href: string, measure: () => Promise<ExportSize>) {
  const begin = useMutation({
    mutationFn: measure,
    onSuccess: ({ contents }) => {
      toast({ title: contents === null ? NOTHING_TO_DOWNLOAD : DOWNLOAD_STARTED });
      if (contents !== null) download(href);
    },
    onError: (error) =>
      toast({ title: DOWNLOAD_FAILED, description: toFailureMessage(error), variant: 'destructive' }),
  });
  return {
    begin: () => begin.mutate(),
    isBeginning: begin.isPending,
    outcome: begin.isError
      ? ({ tone: 'danger', title: DOWNLOAD_FAILED, text: toFailureMessage(begin.error) } as const)
      : begin.isSuccess
        ? toOutcome(begin.data)
        : null,
  };
}

const toOutcome = ({ contents, bytes }: ExportSize) =>
  contents === null
    ? ({ tone: 'info', title: NOTHING_TO_DOWNLOAD, text: null } as const)
    : ({
        tone: 'success',
        title: DOWNLOAD_STARTED,
        text: `${contents}, ${formatByteSize(bytes)}. Your browser shows its progress.`,
      } as const);

const toFailureMessage = (error: unknown) => getErrorMessage(error, 'Please try again.');

/** Downloads through a link, so that the browser streams the response to disk. The page stays open. */
function download(href: string) {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}

/** Formats a count with its noun: '1 recording' or '12 replies'. */
export const formatQuantity = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;
