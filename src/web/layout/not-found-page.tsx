import { ButtonLink } from '../ui/button.tsx';
import { MessagePage } from './message-page.tsx';

export default function NotFoundPage() {
  return (
    <MessagePage
      title="404 Page Not Found"
      text="Did you forget to add the page to the router?"
      action={<ButtonLink href="/">Back to home</ButtonLink>}
    />
  );
}
