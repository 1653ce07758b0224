import { gunzipSync } from "node:zlib";
import { RecorderdError } from "../../model/errors.ts";
import { MIGRATION_LIMITS } from "../limits.ts";

/** A value of a settings file. */
export type Value = string | number | boolean | readonly Value[] | Values;
export interface Values {
  readonly [name: string]: Value;
}

/*
 * Tvheadend packs the settings of multiplexes and services: 0xff 0xff "GZIP01", the unpacked size in four bytes, and a gzip stream of
 * fields. A field is its type, the length of its name, the length of its data (seven bits a byte, the highest part first, bit 7 set in all
 * but the last), its name, and its data.
 */
const BEGIN = Buffer.from("\xff\xffGZIP01", "latin1");
const HEADER_BYTES = BEGIN.length + 4;
const TYPES = { map: 1, number: 2, text: 3, binary: 4, list: 5, flag: 7, uuid: 8 } as const;

export function isPacked(bytes: Buffer): boolean {
  return bytes.subarray(0, BEGIN.length).equals(BEGIN);
}

/** @throws RecorderdError FILE_UNREADABLE */
export function unpacked(file: string, bytes: Buffer): Values {
  try {
    const content = gunzipSync(bytes.subarray(HEADER_BYTES), {
      maxOutputLength: MIGRATION_LIMITS.textBytes,
    });
    return mapOf(fieldsOf(content, 0));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RecorderdError("FILE_UNREADABLE", `${file} is damaged: ${why}.`, { file }, { cause: error });
  }
}

interface Field {
  readonly name: string;
  readonly value: Value;
}

function fieldsOf(bytes: Buffer, depth: number): readonly Field[] {
  if (depth > MIGRATION_LIMITS.depth)
    throw new Error(`it is nested more than ${MIGRATION_LIMITS.depth} times`);
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const type = byteAt(bytes, at);
    const nameLength = byteAt(bytes, at + 1);
    const { length, next } = lengthAt(bytes, at + 2);
    const from = next + nameLength;
    const end = from + length;
    if (end > bytes.length) throw new Error("a field ends after the file");
    const value = decoded(type, bytes.subarray(from, end), depth);
    if (value !== undefined) fields.push({ name: bytes.toString("utf8", next, from), value });
    at = end;
  }
  return fields;
}

function decoded(type: number, data: Buffer, depth: number): Value | undefined {
  switch (type) {
    case TYPES.text:
      return data.toString("utf8");
    case TYPES.number:
      return data.length <= 8
        ? Number(Buffer.concat([data, Buffer.alloc(8)], 8).readBigInt64LE())
        : undefined;
    case TYPES.flag:
      return data[0] === 1;
    case TYPES.uuid:
      return data.toString("hex");
    case TYPES.list:
      return fieldsOf(data, depth + 1).map(({ value }) => value);
    case TYPES.map:
      return mapOf(fieldsOf(data, depth + 1));
    case TYPES.binary:
      return undefined;
    default:
      throw new Error(`a field has the unknown type ${type}`);
  }
}

function mapOf(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

function lengthAt(bytes: Buffer, start: number): { readonly length: number; readonly next: number } {
  let length = 0;
  for (let at = start; ; at += 1) {
    const byte = byteAt(bytes, at);
    length = length * 128 + (byte & 0x7f);
    if (length > MIGRATION_LIMITS.textBytes) throw new Error("a field is too long");
    if (byte < 0x80) return { length, next: at + 1 };
  }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Error("it ends within a field");
  return byte;
}
