import { RecorderdError } from "../model/errors.ts";
import type { GuideClient } from "./client.ts";
import type { Document } from "./documents.ts";
import type { Credentials } from "./exchange.ts";

export interface SignedIn {
  /** The service's answer; contains the token. */
  readonly document: Document<"login">;
  /** The part that is stored. */
  readonly account: Credentials;
}

/**
 * Requests a token from the service. The password is sent but not stored.
 *
 * @throws RecorderdError GUIDE_SIGN_IN_NEEDED if address or password is wrong, GUIDE_DOCUMENT_INVALID if the token
 * cannot be valid, others as described at GuideClient
 */
export async function signIn(
  client: Pick<GuideClient, "login">,
  request: Document<"login-request">,
  signal: AbortSignal,
): Promise<SignedIn> {
  const { value: document } = await client.login(request, signal);
  const { token, email_address } = document.member;
  if (token === "") {
    throw new RecorderdError(
      "GUIDE_DOCUMENT_INVALID",
      "The login document cannot be used: its token is empty",
    );
  }
  const email = email_address === "" ? request.member.email_address : email_address;
  return { document, account: { email, token } };
}
