export interface FolderRule {
  readonly pure: boolean;
  readonly imports: readonly string[];
}
export const FOLDERS: Readonly<Record<string, FolderRule>>;
export function folderOf(path: string): string | undefined;
export function mayImport(from: string, to: string): boolean;
