/** The name for comparison and storage, independent of case and of how an accent was typed. */
export function normalName(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}
