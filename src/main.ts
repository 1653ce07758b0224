#!/usr/bin/env node
// The daemon is a bundle of its own: it starts from few files, and keeps no other command in memory.
if (process.argv[2] === "run") await import("./cli/entry/daemon.ts");
else await import("./cli/entry/commands.ts");
