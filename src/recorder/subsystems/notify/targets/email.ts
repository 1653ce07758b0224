import { sendMail } from "../../../../kit/net/mail.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { asOneLine } from "../../../../model/one-line.ts";
import type { TargetConfig } from "../config.ts";
import type { Target, TargetCredentials } from "../target.ts";

/** A line of a head has at most 998 characters (RFC 5322 §2.1.1). */
const ID_LENGTH = 200;

export function emailTarget(
  config: Extract<TargetConfig, { readonly kind: "email" }>,
  credentials: () => TargetCredentials | undefined,
): Target {
  const { id, host, port, security, from, to } = config;
  const domain = from.slice(from.indexOf("@") + 1);
  return {
    id,
    async send({ id: newsId, text, labels }, signal) {
      const failed = await sendMail(
        {
          server: { host, port, security, ...login(credentials()) },
          from,
          to,
          subject: asOneLine(labels.subject),
          text: `${text}\n\n${labels.time}\n`,
          messageId: `<${newsId.replace(/[^\w.-]/g, "_").slice(0, ID_LENGTH)}@${domain}>`,
        },
        signal,
      );
      if (failed === undefined) return;
      const hint = failed.isLogin ? `; recorderd notify login ${id} USER stores user and password` : "";
      throw new RecorderdError(
        failed.isFinal ? "NOTIFY_REFUSED" : "NOTIFY_UNREACHABLE",
        `Target ${id}: the mail server does not accept it (${failed.code})${hint}.`,
        { target: id },
      );
    },
    async [Symbol.asyncDispose]() {},
  };
}

function login(credentials: TargetCredentials | undefined) {
  if (credentials === undefined) return {};
  return { user: credentials.user ?? "", password: credentials.password };
}
