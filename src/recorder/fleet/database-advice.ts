import type { DatabaseAddress } from "../../kit/postgres/address.ts";

const OWN_AUTHORITY =
  "Name the certificate of your authority with sslrootcert=FILE in fleet.database, and connect to a name that the certificate has.";

/** Advice for errors of PostgreSQL, Node.js or OpenSSL that do not go away by themselves. */
const FINAL: Readonly<Record<string, (address: DatabaseAddress) => string>> = {
  "28P01": ({ user }) =>
    `It refuses the password of ${user}: store the right one with recorderd fleet password.`,
  "28000": ({ user }) => `It does not let ${user} in: see pg_hba.conf on the server.`,
  "3D000": ({ user, name }) => `Create it there: createdb --owner=${user} ${name}`,
  "42501": ({ user, name }) =>
    `${user} may not create tables in it. Run there: ALTER DATABASE ${name} OWNER TO ${user}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => OWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: () => OWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => OWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => OWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: () => OWN_AUTHORITY,
  "The server does not support SSL connections": () =>
    "Switch TLS on there (ssl = on), or add ?sslmode=disable to fleet.database on a network that you trust.",
};

/** Whether only a person can correct it. */
export function isFinal(why: string): boolean {
  return Object.hasOwn(FINAL, why);
}

export function remedyOf(why: string, address: DatabaseAddress): string {
  return (
    FINAL[why]?.(address) ??
    "Running recordings continue; new recordings and reports wait until it is back. Check that PostgreSQL runs there and accepts connections."
  );
}
