import { SECOND } from "../../model/time.ts";

interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: "tls" | "starttls" | "none";
  readonly user?: string;
  readonly password?: string;
}

interface Mail {
  readonly server: MailServer;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** The reason for a failed delivery: the system's or the server's code, never foreign text, which may quote a password. */
export interface MailFailure {
  readonly code: string;
  /** A retry cannot help. */
  readonly isFinal: boolean;
  /** The server rejected user and password. */
  readonly isLogin: boolean;
}

const PATIENCE_MS = 20 * SECOND;

/**
 * Delivers one mail to a server. Certificates are verified; without TLS it is sent only if configured so.
 *
 * @throws the signal's reason when it is aborted first
 */
export async function sendMail(mail: Mail, signal: AbortSignal): Promise<MailFailure | undefined> {
  signal.throwIfAborted();
  // Loaded on first use: most commands send no mail.
  const { createTransport } = await import("nodemailer");
  signal.throwIfAborted();
  const { server, ...message } = mail;
  const { host, port, security, user, password } = server;
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(password === undefined ? {} : { auth: { user: user ?? "", pass: password } }),
  });
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  try {
    await Promise.race([transport.sendMail({ ...message, to: [...message.to] }), aborted]);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error);
  } finally {
    transport.close();
  }
}

function failureOf(error: unknown): MailFailure {
  const { code, responseCode } = (error instanceof Error ? error : {}) as Partial<Record<string, unknown>>;
  const isLogin = code === "EAUTH";
  const answered = typeof responseCode === "number" ? responseCode : 0;
  return {
    code: [code, responseCode].filter((part) => part !== undefined).join(" ") || "UNKNOWN",
    isLogin,
    isFinal: !isLogin && answered >= 500,
  };
}
