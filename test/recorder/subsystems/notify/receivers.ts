import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { Aedes } from "aedes";
import { SMTPServer } from "smtp-server";

/** A message that a receiver of news got. */
export interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly topic?: string;
  readonly retain?: boolean;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly received: readonly Received[];
}

/** A web server that answers with the given status, or not at all. */
export async function webReceiver(statusOf: (count: number) => number | undefined): Promise<Receiver> {
  const received: Received[] = [];
  const server = createHttp((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      const status = statusOf(received.length);
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A mail server with one account. */
export async function mailReceiver({ user, password }: { readonly user: string; readonly password: string }) {
  const received: Received[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (auth, _session, done) => {
      const isRight = auth.username === user && auth.password === password;
      done(isRight ? null : new Error("no"), isRight ? { user } : undefined);
    },
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith("nobody@") ? Object.assign(new Error("unknown"), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => {
      let body = "";
      stream.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      stream.on("end", () => {
        received.push({ headers: {}, body });
        done(null);
      });
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A broker with one account. */
export async function broker({ user, password }: { readonly user: string; readonly password: string }) {
  const received: Received[] = [];
  const aedes = await Aedes.createBroker();
  aedes.authenticate = (_client, name, secret, done) => {
    const isRight = name === user && secret?.toString() === password;
    done(isRight ? null : Object.assign(new Error("no"), { returnCode: 4 }), isRight);
  };
  aedes.on("publish", ({ topic, payload, retain }) => {
    if (!topic.startsWith("$SYS")) received.push({ headers: {}, topic, retain, body: payload.toString() });
  });
  const server = createTcp(aedes.handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
