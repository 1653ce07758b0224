import { openPlainFile } from "../kit/files/plain-file.ts";
import { readAtMost } from "../kit/files/steady-fs.ts";
import { systemCode } from "../kit/machine/system-code.ts";
import { RecorderdError } from "../model/errors.ts";
import { SITE_LIMITS } from "./limits.ts";
import { Batch, checked, Fieldset } from "./parameters.ts";

/**
 * Reads a batch in the site's form: `{"validation": "normal", "requests": [{"method", "path", "body", "headers"}]}`.
 *
 * @throws RecorderdError FILE_UNREADABLE if the system refuses it
 * @throws RecorderdError SITE_PARAMETER_INVALID for an invalid document, with the place in the text
 */
export async function readBatchFile(file: string): Promise<Batch> {
  const text = await readBounded(file);
  return checked(Batch, parsed(text, file));
}

/**
 * Reads the fields of a new entry, or the fields to change: a JSON object.
 *
 * @throws RecorderdError as readBatchFile
 */
export async function readFieldsFile(file: string): Promise<Fieldset> {
  return checked(Fieldset, parsed(await readBounded(file), file));
}

async function readBounded(file: string): Promise<string> {
  try {
    await using handle = await openPlainFile(file);
    const content = await readAtMost(handle, SITE_LIMITS.requestFileBytes);
    if (content === undefined) throw invalid(file, `is larger than ${SITE_LIMITS.requestFileBytes} bytes`);
    return content.toString("utf8");
  } catch (error) {
    if (error instanceof RecorderdError) throw error;
    const code = systemCode(error);
    throw new RecorderdError("FILE_UNREADABLE", `The file ${file} cannot be read (${code})`, { file });
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw invalid(file, "is not valid JSON");
  }
}

function invalid(file: string, problem: string): RecorderdError {
  return new RecorderdError(
    "SITE_PARAMETER_INVALID",
    `Nothing was sent to the content site: the file ${file} ${problem}`,
    { file },
  );
}
