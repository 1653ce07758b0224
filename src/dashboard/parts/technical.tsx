import { say } from "../state/language.ts";

/** The recorder's own words, in English, for who wants more than the sentence beside them. */
export function Technical({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>{say("trouble-technical")}</summary>
      <ul lang="en">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
