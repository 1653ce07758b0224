import { RecorderdError } from "../model/errors.ts";
import type { GuideClient } from "./client.ts";
import type { Document } from "./documents.ts";
import type { Credentials } from "./exchange.ts";

export interface SignedIn {
  /** As the service answered; holds the token. */
  readonly document: Document<"login">;
  /** What is kept of it. */
  readonly account: Credentials;
}

/**
 * Asks the service for a token. The password is sent and forgotten.
 *
 * @throws RecorderdError GUIDE_SIGN_IN_NEEDED when address or password is wrong, GUIDE_DOCUMENT_INVALID when the token cannot be one, others as GuideClient says
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
