import type { Melody } from '../contract.ts';
import { DeleteMelodyDialog } from './delete-melody-dialog.tsx';
import { EditMelodyDialog } from './edit-melody-dialog.tsx';

export type TeachersWish = { to: 'edit' | 'delete'; melody: Melody };

type TeacherDialogsProps = { wish: TeachersWish; onClose: () => void };

/** What only the teacher needs in the library, and so comes when it is asked for. */
export default function TeacherDialogs({ wish: { to, melody }, onClose }: TeacherDialogsProps) {
  const Asked = to === 'edit' ? EditMelodyDialog : DeleteMelodyDialog;
  return <Asked key={melody.id} melody={melody} onClose={onClose} />;
}
