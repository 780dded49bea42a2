import { Download } from 'lucide-react';
import { callApi } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { ExportOutcome } from '#web/device/export-outcome.tsx';
import { formatQuantity, useExport } from '#web/device/use-export.ts';

type StudentExportButtonProps = { studentId: string; children: string };

/** Button that downloads all of a student's data, and a message with the outcome. */
export function StudentExportButton({ studentId, children }: StudentExportButtonProps) {
  const all = useExport(`/api/users/${studentId}/export`, async () => {
    const options = { params: { id: studentId } };
    const { recordings, replies, bytes } = await callApi('GET /api/users/{id}/export/size', options);
    if (recordings === 0) return { contents: null, bytes };
    const sung = formatQuantity(recordings, 'recording', 'recordings');
    return { contents: replies === 0 ? sung : `${sung}, ${replies} with feedback`, bytes };
  });
  return (
    <>
      <ExportOutcome exportState={all} className="mt-4" />
      <Button icon={<Download />} busy={all.isBeginning} onClick={all.begin} className="mt-5 max-sm:w-full">
        {children}
      </Button>
    </>
  );
}
