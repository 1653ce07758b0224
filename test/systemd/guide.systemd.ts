import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../free-port.ts";
import { Machine, whyNoMachine } from "./machine.ts";

const PACKAGES = join(import.meta.dirname, "../../build/package");
const GUIDE = join(import.meta.dirname, "../../docs/dev/several-guide-servers.md");
const PASSWORD = "only-in-the-file-of-passwords";
const TOKEN = "only-in-the-file-of-the-metrics";
const EMAIL = "household@example.org";
const why = whyNoMachine();

/** The parts of answers that are looked at. */
interface Answer {
  readonly member?: { readonly token: string };
  readonly devices?: readonly object[];
}

if (why !== undefined) process.stderr.write(`skipped, no systemd can be booted: ${why}\n`);

/** The commands under the heading `As services`. */
async function documentedCommands(): Promise<readonly string[]> {
  const [, section = ""] = (await readFile(GUIDE, "utf8")).split("\n### As services\n");
  return section.split("\n## ")[0]?.match(/^ {4}.+$/gm) ?? [];
}

describe.skipIf(why !== undefined)(
  "several guide servers as services, set up by the documented commands",
  () => {
    let machine: Machine;
    let ports: readonly string[];
    let proxy: string;

    beforeAll(async () => {
      const [database = "", front = "", ...servers] = await freePorts(5);
      [ports, proxy] = [servers, front];
      machine = await Machine.boot([`${PACKAGES}:/opt/packages`]);
      await machine.do("dpkg --force-depends -i /opt/packages/recorderd_*_all.deb");
      // The machine shares loopback with others, so a database of its own has a port of its own.
      const version = await machine.do("ls /usr/lib/postgresql | sort -n | tail -1");
      await machine.do(`pg_createcluster --port=${database} ${version} guide`);
      await machine.do(`systemctl start postgresql@${version}-guide`);
      await machine.write("etc/recorderd/guide-metrics.token", `${TOKEN}\n`);
      await machine.do("chmod 600 /etc/recorderd/guide-metrics.token; touch /etc/haproxy/haproxy.cfg");
      const words = {
        "sudo -u postgres createuser --pwprompt recorderd": `runuser -u postgres -- psql -c "CREATE ROLE recorderd LOGIN PASSWORD '${PASSWORD}'"`,
        "sudo -u postgres": "runuser -u postgres --",
        ":PASSWORD": `:${PASSWORD}`,
        "--trusted-proxy 127.0.0.1": "--trusted-proxy 127.0.0.1 --allow-sign-up --demo",
        "systemctl reload haproxy":
          "sed -i 's/8437/PROXY/; s/8441/ONE/; s/8442/TWO/; s/8443/THREE/' /etc/haproxy/haproxy.cfg; systemctl restart haproxy",
        ...{ "5432": database, PROXY: front, ONE: servers[0], TWO: servers[1], THREE: servers[2] },
        ...{ "@8441": `@${servers[0]}`, "@8442": `@${servers[1]}`, "@8443": `@${servers[2]}` },
      };
      const commands = (await documentedCommands()).map((line) =>
        Object.entries(words).reduce((text, [from, to = ""]) => text.replaceAll(from, to), line),
      );
      await machine.do(`set -e; export PGPORT=${database}\n${commands.join("\n")}`);
    });

    afterAll(async () => {
      await machine?.[Symbol.asyncDispose]();
    });

    const unit = (port = "") => `recorderd-guide@${port}`;

    async function ask(
      method: string,
      path: string,
      body?: object,
    ): Promise<{ readonly status: number; readonly json: Answer }> {
      const answer = await fetch(`http://127.0.0.1:${proxy}${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, json: text === "" ? {} : JSON.parse(text) };
    }

    it("run, each with metrics, and are one guide behind the proxy", async () => {
      for (const port of ports) expect(await machine.property(unit(port), "ActiveState")).toBe("active");
      await machine.until(
        "the proxy has a server",
        async () => (await ask("GET", "/regions")).status === 200,
      );
      const member = { email_address: EMAIL, password: "a long password" };
      const { json } = await ask("POST", "/login", {
        member,
        device: { uid: "a-box", label: "Box", type_id: 1 },
      });
      const who = `email_address=${EMAIL}&token=${json.member?.token}`;
      for (const _ of ports) {
        const { status, json: list } = await ask("GET", `/devices?${who}`);
        expect([status, list.devices]).toMatchObject([200, [{ uid: "a-box" }]]);
      }
      for (const port of ports) {
        const metrics = (token: string) =>
          machine.do(`curl -s -H 'Authorization: Bearer ${token}' http://127.0.0.1:${port}/metrics`);
        expect(await metrics(TOKEN)).toMatch(
          /requests_total\{method="GET",route="\/devices",status="200"\} 1/,
        );
        expect(await metrics("wrong")).not.toContain("requests_total");
      }
    });

    it("have only the necessary rights, and show nobody the password", async () => {
      for (const port of ports) {
        const pid = await machine.property(unit(port), "MainPID");
        const status = await machine.do(`cat /proc/${pid}/status`);
        expect(status).toMatch(/CapBnd:\s0000000000000000/);
        expect(status).toMatch(/NoNewPrivs:\s1/);
        expect(status).toMatch(/Seccomp:\s2/);
        expect(status).toMatch(/Uid:\s[1-9]/);
        const shown = await machine.do(`cat /proc/${pid}/cmdline /proc/${pid}/environ | tr '\\0' '\\n'`);
        expect(shown).not.toMatch(new RegExp(`${PASSWORD}|${TOKEN}`));
        expect(await machine.journal(unit(port))).not.toMatch(new RegExp(`${PASSWORD}|${TOKEN}`));
      }
      expect((await machine.ask("runuser -u nobody -- cat /etc/recorderd/guide.pgpass")).code).not.toBe(0);
    });

    it("go on without one that is killed, which is started again, without metrics if the token is gone", async () => {
      const [first = ""] = ports;
      await machine.do("rm /etc/recorderd/guide-metrics.token");
      await machine.do(`systemctl kill --signal=KILL ${unit(first)}`);
      for (let times = 0; times < 10; times += 1) expect((await ask("GET", "/regions")).status).toBe(200);
      await machine.until(
        "it runs again",
        async () =>
          (await machine.property(unit(first), "NRestarts")) === "1" &&
          (await machine.property(unit(first), "ActiveState")) === "active",
      );
      expect(
        await machine.do(`curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${first}/metrics`),
      ).toBe("404");
    });

    it("outlive a restart of the database, and answer 503 meanwhile", async () => {
      const list = async () =>
        (await ask("POST", "/login", { member: { email_address: EMAIL, password: "a long password" } }))
          .status;
      const cluster = (
        await machine.do("pg_lsclusters --no-header | awk '$2 == \"guide\" { print $1 }'")
      ).trim();
      await machine.do(`systemctl stop postgresql@${cluster}-guide`);
      expect(await list()).toBe(503);
      await machine.do(`systemctl start postgresql@${cluster}-guide`);
      await machine.until("it answers again", async () => (await list()) === 201);
      for (const port of ports.slice(1)) expect(await machine.property(unit(port), "NRestarts")).toBe("0");
    });

    it("end in time, and nothing of them stays on purge", async () => {
      await machine.do(`systemctl stop ${ports.map(unit).join(" ")}`, 30_000);
      for (const port of ports) expect(await machine.property(unit(port), "Result")).toBe("success");
      await machine.do("dpkg --purge recorderd");
      const left = await machine.ask("ls -d /var/lib/recorderd-guide-* /var/lib/private/recorderd-guide-*");
      expect(left.out).not.toMatch(/guide-\d+$/m);
    });
  },
);

async function freePorts(count: number): Promise<readonly string[]> {
  const found = new Set<string>();
  while (found.size < count) found.add(String(await freePort()));
  return [...found];
}
