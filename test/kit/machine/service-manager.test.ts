import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../main-job/recorder.ts";

const ROOT = join(import.meta.dirname, "../../..");
const WITH_NOTIFY = join(ROOT, "systemd/with-notify");
const MODULE = join(ROOT, "dist/kit/machine/service-manager.js");

/** Receives the messages to a service manager, and prints each as a line. */
const LISTENER = `
use Socket;
$| = 1;
socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die;
bind($s, pack_sockaddr_un($ARGV[0])) or die;
print "listening\\n";
while (defined recv($s, my $message, 4096, 0)) { $message =~ s/\\n/ & /g; print "$message\\n"; last if $message =~ /STOPPING/ }
`;

const DAEMON = `
import { serviceManager, pulseMs } from ${JSON.stringify(MODULE)};
const manager = serviceManager();
manager.notify({ state: "ready", status: "recording “A\\nMAINPID=1”" });
manager.notify({ alive: true });
manager.notify({ status: [manager.watchdogMs, pulseMs(manager), process.pid, Object.keys(process.env).filter((n) => /NOTIFY|WATCHDOG/.test(n)).length].join(" ") });
manager.notify({ state: "stopping" });
`;

it.skipIf(!existsSync("/usr/bin/perl"))(
  "the service manager receives messages as from our process, whatever a title contains, and child processes inherit nothing",
  async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "notify");
    const listener = spawn("perl", ["-e", LISTENER, path], { stdio: ["ignore", "pipe", "inherit"] });
    let heard = "";
    listener.stdout.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
    });
    const over = once(listener, "close");
    await expect.poll(() => heard).toContain("listening");
    const daemon = spawn(WITH_NOTIFY, [process.execPath, "--input-type=module", "-e", DAEMON], {
      env: { PATH: process.env["PATH"], NOTIFY_SOCKET: path, WATCHDOG_USEC: "6000000", WATCHDOG_PID: "1" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const { pid } = daemon;
    await over;
    expect(heard.split("\n")).toEqual([
      "listening",
      "READY=1 & STATUS=recording “A MAINPID=1”",
      "WATCHDOG=1",
      `STATUS=6000 2000 ${pid} 0`,
      "STOPPING=1",
      "",
    ]);
  },
);
