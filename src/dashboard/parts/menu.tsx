/** Links to other pages, each with a line that says what is there. */
export function Menu({
  of,
}: {
  readonly of: readonly { readonly to: string; readonly name: string; readonly line: string }[];
}) {
  return (
    <ul class="menu card">
      {of.map(({ to, name, line }) => (
        <li key={to}>
          <a href={to}>{name}</a>
          <span class="faint">{line}</span>
        </li>
      ))}
    </ul>
  );
}
