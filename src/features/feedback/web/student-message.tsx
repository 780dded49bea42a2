/** What a student wrote beside a recording, in the student's own lines. */
export const StudentMessage = ({ message }: { message: string }) => (
  <blockquote className="measure mt-4 border-s-3 border-saffron ps-4 font-serif text-lg leading-relaxed break-words whitespace-pre-line italic">
    {message}
  </blockquote>
);
