/** The guide's text about a show besides its title. */
export function ShowText({
  subtitle,
  description,
}: {
  readonly subtitle?: string | undefined;
  readonly description?: string | undefined;
}) {
  return (
    <>
      {subtitle === undefined ? null : (
        <p dir="auto">
          <strong>{subtitle}</strong>
        </p>
      )}
      {description === undefined ? null : <p dir="auto">{description}</p>}
    </>
  );
}
