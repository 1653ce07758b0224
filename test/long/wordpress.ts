import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../free-port.ts";

const run = promisify(execFile);
const PROGRAM = "/usr/share/wordpress";
const PROGRAMS = ["/usr/bin/php", "/usr/sbin/mariadbd", "/usr/bin/mariadb-install-db", PROGRAM];

/** Why there is no WordPress here; `undefined` where there is one. */
export function whyNoWordPress(): string | undefined {
  const missing = PROGRAMS.filter((each) => !existsSync(each));
  if (missing.length === 0) return undefined;
  return `${missing.join(", ")} missing: apt-get install wordpress mariadb-server php-cli php-mysql`;
}

export type Permalinks = "plain" | "index" | "pretty";

const STRUCTURES: Readonly<Record<Permalinks, string>> = {
  plain: "",
  index: "/index.php/%postname%/",
  pretty: "/%postname%/",
};

/** A WordPress of Debian in a subfolder of its host, served by PHP, with a database of its own. */
export interface WordPress extends AsyncDisposable {
  readonly url: string;
  readonly user: string;
  readonly applicationPassword: string;
  use(permalinks: Permalinks): Promise<void>;
  /** Runs a piece of PHP inside, as its administrator. @returns what it prints */
  php(code: string): Promise<string>;
}

/** Its configuration; where it is and its database are in the environment. */
const CONFIG = `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('DB_SOCKET')); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $each) { define($each . '_KEY', $each); define($each . '_SALT', $each); }
define('WP_ENVIRONMENT_TYPE', 'local'); define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
define('WP_HOME', getenv('SITE')); define('WP_SITEURL', getenv('SITE'));
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** A web server with rewritten addresses: it serves a file, or else runs the program. */
const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (strpos($path, '/blog') !== 0) { http_response_code(404); return; }
if ($path !== '/blog/' && strpos($path, '/blog/index.php') !== 0 && is_file($_SERVER['DOCUMENT_ROOT'] . $path)) return false;
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/blog/index.php';
if (strpos($path, '/blog/index.php/') === 0) $_SERVER['PATH_INFO'] = substr($path, 15);
chdir($_SERVER['DOCUMENT_ROOT'] . '/blog');
require 'index.php';
`;

const INSTALL = `
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
$made = wp_install('Harbour News', 'editor', 'editor@example.org', true, '', wp_generate_password());
echo WP_Application_Passwords::create_new_application_password($made['user_id'], ['name' => 'recorderd'])[0];
`;

export async function startWordPress(): Promise<WordPress> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-wordpress-"));
  const children: ChildProcess[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/blog`;
  const socket = join(folder, "db.sock");
  const env = { ...process.env, SITE: url, DB_SOCKET: socket };
  const start = (program: string, args: readonly string[]) => {
    const child = spawn(program, args, { env, stdio: "ignore" });
    children.push(child);
  };
  const php = async (code: string, before = "") => {
    const host = `$_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; $_SERVER['REQUEST_URI'] = '/blog/';`;
    const script = `${before}${host} require '${folder}/www/blog/wp-load.php'; ${code}`;
    return (await run("php", ["-r", script], { env, maxBuffer: 2 ** 26 })).stdout;
  };
  const wordPress = {
    url,
    user: "editor",
    use: async (permalinks: Permalinks) => {
      await php(
        `update_option('permalink_structure', '${STRUCTURES[permalinks]}'); flush_rewrite_rules(false);`,
      );
    },
    php: (code: string) => php(code),
    [Symbol.asyncDispose]: async () => {
      for (const child of children.reverse()) {
        const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
        child.kill("SIGTERM");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await cp(PROGRAM, join(folder, "www/blog"), { recursive: true, dereference: true });
    await writeFile(join(folder, "www/blog/wp-config.php"), CONFIG);
    await writeFile(join(folder, "router.php"), ROUTER);
    const data = [`--datadir=${join(folder, "db")}`, "--user=root"];
    const fresh = ["--no-defaults", ...data, "--skip-test-db", "--auth-root-authentication-method=normal"];
    await run("mariadb-install-db", fresh);
    const alone = ["--skip-networking", "--skip-grant-tables", "--innodb-buffer-pool-size=32M"];
    start("/usr/sbin/mariadbd", [
      "--no-defaults",
      ...data,
      `--socket=${socket}`,
      "--max-allowed-packet=64M",
      ...alone,
    ]);
    const create = ["--no-defaults", `--socket=${socket}`, "-e", "create database if not exists wordpress"];
    await until(() => run("mariadb", create));
    const applicationPassword = await php(INSTALL, "define('WP_INSTALLING', true);");
    start("php", [
      "-d",
      "memory_limit=512M",
      "-S",
      `127.0.0.1:${port}`,
      "-t",
      join(folder, "www"),
      join(folder, "router.php"),
    ]);
    await until(() => fetch(url));
    return { ...wordPress, applicationPassword };
  } catch (error) {
    await wordPress[Symbol.asyncDispose]();
    throw error;
  }
}

async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 600; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
