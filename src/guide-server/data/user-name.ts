/** How a name is compared and kept: whatever its case, and however an accent was typed. */
export function normalName(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}
