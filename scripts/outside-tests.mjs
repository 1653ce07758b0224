// The findings of an outside tester, each as a property that holds now, with the tests that show it; make-requirements.mjs writes it to
// docs/dev/requirements.md. `tests`: parts of the names of tests, by file; [name, row] is one row of a table of tests.
// `scripts`: what is tried in bare systems. `benches`: what is measured.

const MAIN_JOB = "test/main-job";
const CORE = "test/recorder/engine/core";

export const FIRST_HOUR = [
  {
    holds:
      "`npm run setup && npm test` passes on a bare Debian 12 and 13: every program and Python module of the tests is listed and installed. A command tries it in fresh systems",
    tests: {
      "test/house/programs.test.ts": [
        "lists for npm test what its tests start",
        "lists every Python module that tests import",
      ],
      "test/house/setup.test.ts": ["installs python3 if the present one lacks a module that tests import"],
    },
    scripts: ["test:fresh"],
  },
  {
    holds:
      "A guide with ids such as `zdf.de` leads to recordings; no one must type a triplet. A repaired channel reaches the recorder at once, by *Sync now*, by SIGHUP or by itself. A series without reception is booked with a warning",
    tests: {
      "test/dashboard/ordinary-listing.long.ts": ["leads to recordings by clicks alone, despite its flaws"],
      "test/dashboard/from-nothing.long.ts": ["leads to a series of verified recordings, by clicks alone"],
      "test/recorder/sync/channel-desk.test.ts": [
        "matches channels without a triplet to the service of the same name on a tuner",
      ],
      "test/recorder/sync/poll.test.ts": [
        "fetches the channels at the start, every six hours, and on request",
        "fetches channels a moment after a list with a timer of a channel without a service",
      ],
      [`${MAIN_JOB}/server-news.test.ts`]: ["is known after the next sync, without a restart"],
      [`${MAIN_JOB}/polls-at-once.test.ts`]: [
        ["%s makes the recorder request the guide's channels", "SIGHUP"],
        ["%s makes the recorder request the guide's channels", "recorderd sync"],
      ],
      [`${MAIN_JOB}/unreceived-series.test.ts`]: [
        "a series is booked with a warning if no tuner receives a channel of its episodes",
      ],
      "test/model/reach.test.ts": ["the warning for a series names the channels"],
    },
  },
  {
    holds:
      "An upgrade of the Debian package asks nothing and replaces no configuration: what setup writes belongs to no package",
    tests: {
      "test/house/debian-package.test.ts": [
        "keeps the user's configuration over upgrades with changed examples",
        "removes the unchanged example that earlier versions installed as configuration",
        "is built without a conffile",
      ],
    },
  },
  {
    holds:
      "`recorderd run` as root leaves no file of root's in the service's folder. `recorderd doctor` finds such files anywhere in it. The message about a lock says whether its folder is missing",
    tests: {
      "test/cli/hostile-folder.long.ts": ["has only files of its owner after root ran the recorder"],
      "test/cli/fixed-user.test.ts": [
        "run again as the owner of their folder, with its exit code",
        "say what to do if their files belong to several users",
      ],
      "test/recorder/doctor/faults.test.ts": [
        ["finds %s and names the remedy", "a ledger that a daemon left that was run as root"],
      ],
      "test/kit/files/lock.test.ts": ["reports a missing folder"],
    },
  },
  {
    holds:
      "A show that begins soon, booked on the command line or at the service, is recorded: the recorder waits for no scheduled poll. `recorderd status` names the next poll",
    tests: {
      [`${MAIN_JOB}/polls-at-once.test.ts`]: [
        "a booking on the command line makes the recorder poll at once",
        "recorderd status says when the recorder polls again",
      ],
      [`${MAIN_JOB}/announced.test.ts`]: ["is recorded as soon as it is ordered at the service"],
      [`${MAIN_JOB}/guide-cli.long.ts`]: ["finds a show, books it, sees it recorded"],
    },
  },
  {
    holds: "Every command that needs the configuration finds it where setup writes it",
    tests: {
      "test/cli/default-config.test.ts": [
        "every command that needs the configuration looks for it where setup writes it",
      ],
    },
  },
  {
    holds:
      "Before setup, `recorderd doctor` says to run setup, and goes on with what needs no configuration, also from the npm package",
    tests: {
      "test/recorder/doctor/faults.test.ts": [
        ["recommends setup for %s, and continues with independent checks", "no configuration"],
        ["recommends setup for %s, and continues with independent checks", "the example for one"],
        "exits with 1 after a fault, with --json too",
      ],
      "test/cli/default-config.test.ts": ["the setup command in the message names the configuration file"],
    },
  },
  {
    holds: "The npm package installs the tested versions, which all accept the oldest supported Node.js",
    tests: {
      "test/long/npm-package.long.ts": [
        "installs offline, with exactly the versions of the lock file",
        "every package that the program uses accepts the oldest supported Node.js",
      ],
    },
  },
  {
    holds: "A purge deletes the configuration and all its copies",
    tests: {
      "test/house/debian-package.test.ts": [
        "keeps the configuration on removal, and deletes all of it on purge",
      ],
    },
  },
  {
    holds: "`npm run setup` installs only what operation needs; `npm test` installs the rest",
    tests: {
      "test/house/setup.test.ts": [
        "as root installs only missing programs for operation, each package once",
        "begins with the installation of test programs",
        "as root installs the programs for tests",
      ],
    },
  },
  {
    holds:
      "The image has less than 500 MB. `compose.yaml` starts without a card, and the first start offers the setup in a browser",
    tests: {
      "test/container/image.container.ts": [
        "is smaller than 500 MB",
        "runs setup in a browser without a configuration or a card, and then the recorder",
      ],
      "test/house/container.test.ts": [
        "need a DVB card only with compose.dvb.yaml",
        "store the configuration of the setup in a volume",
      ],
    },
  },
  {
    holds:
      "The channels of `guide-server --demo` are on the air with `broadcaster --demo`, and the page about the guide server says so",
    tests: {
      "test/simulator/demo-air.test.ts": [
        "the demonstration guide's programmes are on the air on all channels",
        "says how the demonstration's channels can be recorded",
      ],
    },
  },
  {
    holds:
      "`npm start` before setup names the command in one line. At its end it names the folder of the recordings. On a busy machine it says at once what it does, and gives the show a later start",
    tests: {
      [`${MAIN_JOB}/simulator.test.ts`]: [
        "npm start before the setup names the setup command, in one line",
        "recorderd simulate names the folder of the recordings at its end",
      ],
      "test/simulator/simulate.test.ts": [
        "a simulation says what it prepares before it does",
        "a simulated show begins later if the recorder took long to start",
      ],
    },
  },
  {
    holds: "Members of the group `recorderd` may read the recordings, and the README says how to become one",
    tests: {
      "test/house/units.test.ts": [
        "members of the service's group may read the recordings, as the README says, and nobody else",
      ],
    },
  },
  {
    holds:
      "Both packages have every page and each file that a page links to. The manual page has the value of each option. A channel that a listing adds causes no warning",
    tests: {
      "test/house/pages.test.ts": [
        "have every page, and each file that a page links to",
        "get all of these from %s",
      ],
      "test/long/npm-package.long.ts": ["and all pages"],
      "test/cli/completion/manual.test.ts": ["the manual page shows the value that each option takes"],
      "test/guide-server/xmltv/listings.test.ts": ["and about no channel that it adds"],
    },
  },
  {
    holds:
      "Tests hold on a busy machine: events are long enough for it, and senders wait for their receivers. Tests that are cut off leave nothing behind",
    tests: {
      [`${MAIN_JOB}/failing-disk.long.ts`]: ["a disk that turns read-only while %s writes keeps its data"],
      "test/recorder/capture/service-dvblast.test.ts": ["has the same packets in every one of its streams"],
      "test/house/leftovers.test.ts": [
        "a test run removes processes, file systems and files of killed runs",
        "a file of tests ends what they have left",
      ],
    },
  },
];

export const STORM = [
  {
    holds:
      "A segment that is cut or replaced while it grows is noticed within seconds. A new attempt records the rest, and figures and checksum are those of the file",
    tests: {
      [`${MAIN_JOB}/segment-deeds.long.ts`]: [
        "detected within seconds, and a new attempt records the rest",
        "evidence, sidecar and file describe the same bytes",
        "the foreign file stays in its place",
      ],
    },
  },
  {
    holds:
      "A chain of overlapping timers is planned link by link: a change plans the links near it again, and the thread does the rest",
    tests: {
      "test/recorder/plan/chain.test.ts": [
        "has the most whole events and minutes that any plan has, and is proven, also after a change",
        "stays the same object in the parts far from a change",
      ],
      "test/recorder/engine/runtime/provisional.test.ts": [
        "includes the near future at once, leaves the rest, and is complete a few decisions later",
      ],
    },
    benches: ["planning"],
  },
  {
    holds:
      "A timer that is booked while the data disk is full is recorded, on a reserve of space. An outage begins with the end of the process, not with its last write",
    tests: {
      [`${MAIN_JOB}/full-data-disk.long.ts`]: [
        "a timer booked while the data disk is full is recorded: a reserve makes room, and is restored later",
        "a full data disk ends neither daemon nor capture, is reported, and clears once there is room",
      ],
      [`${CORE}/decide.test.ts`]: ["counts an outage from the end of the process, not from its last write"],
    },
  },
  {
    holds:
      "A recorder whose secrets are damaged, empty or readable by others records its plan, says so, and goes on with them after the repair",
    tests: {
      [`${MAIN_JOB}/damaged-secrets.long.ts`]: [
        "a recorder with damaged secrets records its plan, reports the fault, and sends reports after the repair",
      ],
      "test/recorder/config/live-secrets.test.ts": [
        ["are unavailable while the file is %s at the start, until it is repaired", "empty"],
        ["are unavailable while the file is %s at the start, until it is repaired", "readable by others"],
        "stay in force while a good file is damaged, with an alarm",
      ],
    },
  },
  {
    holds:
      "A machine that starts in 1970 begins and ends its captures by the guide service's or the broadcast's time",
    tests: {
      [`${CORE}/clock.test.ts`]: [
        ["a recording begins and its capture ends by that source", "behind"],
        "a recording begun by that source is closed when the clock is set right",
      ],
      "test/model/clock-trust.test.ts": [
        "is replaced for event times by a trusted source if it cannot be right",
      ],
      "test/recorder/engine/runtime/clock-watch.test.ts": [
        "rejects a time before the last run of the recorder: a board without a clock starts in 1970",
      ],
    },
  },
  {
    holds:
      "A capture whose file or folder cannot be read goes on, and nothing is lost: unreadable is not gone",
    tests: {
      "test/recorder/capture/capture-contract.ts": [
        ["continues while %s is unreadable", "its folder"],
        "continues while the system cannot find its file, and writes all data",
        "does not judge an unreadable segment after a restart, and reads it once that is possible",
      ],
    },
  },
  {
    holds:
      "A priority that is named as a remedy is the least sufficient one and is accepted; a message says so if no single change would help",
    tests: {
      "test/recorder/plan/remedies.test.ts": [
        "remedies are the smallest sufficient ones within the range of priorities, and their absence is reported",
      ],
      [`${CORE}/decide.test.ts`]: ["in conflict: the report says so if no single change would help"],
    },
  },
  {
    holds:
      "An attempt that was stored and killed before it began is made again at once, on the same tuner, and reported as no end of a capture",
    tests: {
      [`${CORE}/decide.test.ts`]: [
        "begins a planned attempt at once on the same tuner, and reports no end of a capture",
      ],
      "test/recorder/capture/capture-contract.ts": [
        "distinguishes attempts that never began, that ended, and whose disk is missing",
      ],
    },
  },
  {
    holds: "Minutes count strictly by priority in what the planner does, says and calls proven",
    tests: {
      "test/recorder/plan/optimal.test.ts": ["for the instances of the seeds"],
      "test/recorder/plan/help.test.ts": [
        "matches brute force in whole events and minutes of the others, and covers nearly all cases",
      ],
    },
  },
  {
    holds:
      "A changed digit in the stored document is found by its checksum, and the previous version is used. A missing document beside a history raises an alarm. Reports have no path of this machine",
    tests: {
      "test/recorder/store/document-store.test.ts": [
        ["loses no commit if %s", "one of its digits was changed"],
        "gives STORE_DAMAGED with the file and the remedy if both versions are damaged",
      ],
      [`${MAIN_JOB}/daemon.test.ts`]: [
        "the daemon raises an alarm if its document is missing although its history exists",
      ],
      "test/recorder/capture/log-text.test.ts": ["has last lines without folders of this machine"],
    },
  },
  {
    holds: "Two people who change one timer at once both get its state after their own change, at once",
    tests: {
      "test/recorder/engine/runtime/ask.test.ts": [
        "for one timer each get its state after their own change",
        "for the repeat of one timer both get the answer of a single booking",
      ],
    },
  },
  {
    holds:
      "Time in which nothing is due costs no decision and no write, and an unchanged list none either; the speed of simulated weeks is measured",
    tests: {
      "test/recorder/engine/runtime/engine.test.ts": [
        "a minute in which nothing is due costs a sign of life, and no decision",
      ],
      "test/recorder/engine/runtime/laws.test.ts": [
        "time alone changes nothing before the instants that the engine waits for",
      ],
      "test/recorder/sync/core/reconcile.test.ts": [
        "a list is known exactly where it has no change and every entry can be read",
      ],
    },
    benches: ["simulator", "decide"],
  },
];
