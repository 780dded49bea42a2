import {
  AudioLines,
  History,
  Inbox,
  Library,
  type LucideIcon,
  MessageCircle,
  Mic,
  Plus,
  Send,
  UserPlus,
  Users,
} from 'lucide-react';
import { useContext } from 'react';
import { ExistingPathsContext } from '#web/navigation/existing-paths.ts';
import type { SignedInUser } from '#web/api/session.ts';

export type NavigationItem = { path: string; label: string; icon: LucideIcon };

const studentMenu: readonly NavigationItem[] = [
  { path: '/melodies', label: 'Melodies Library', icon: Library },
  { path: '/submit', label: 'Submit Recording', icon: Mic },
  { path: '/feedback', label: 'View Feedback', icon: MessageCircle },
  { path: '/past-recordings', label: 'Past Recordings', icon: AudioLines },
];

const adminMenu: readonly NavigationItem[] = [
  { path: '/melodies', label: 'Melodies Library', icon: Library },
  { path: '/admin/add-melody', label: 'Add Melody', icon: Plus },
  { path: '/admin', label: 'Admin Inbox', icon: Inbox },
  { path: '/admin/registrations', label: 'Registration Requests', icon: UserPlus },
  { path: '/past-feedback', label: 'Past Feedback', icon: History },
  { path: '/admin/users', label: 'User Management', icon: Users },
  { path: '/admin/invite', label: 'Invite Users', icon: Send },
];

/** Returns the role's menu items, except those whose page is not in the routes. */
export function useNavigationItems(role: SignedInUser['role']) {
  const existing = useContext(ExistingPathsContext);
  const menu = role === 'admin' ? adminMenu : studentMenu;
  return menu.filter(({ path }) => existing.includes(path));
}
