const TIBETAN_RUN = /([\u0F00-\u0FFF](?:[\s\u0F00-\u0FFF]*[\u0F00-\u0FFF])?)/;

/**
 * A student's message about a recording, in italics and with its line breaks. Tibetan script stays upright,
 * because it has no italics.
 */
export const StudentMessage = ({ message }: { message: string }) => (
  <blockquote
    dir="auto"
    className="measure border-s-3 border-saffron ps-4 font-serif text-lg leading-relaxed break-words whitespace-pre-line italic"
  >
    {message.split(TIBETAN_RUN).map((run, index) =>
      TIBETAN_RUN.test(run) ? (
        <span key={index} lang="bo" className="not-italic">
          {run}
        </span>
      ) : (
        run
      ),
    )}
  </blockquote>
);
