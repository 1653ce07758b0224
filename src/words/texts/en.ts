/** English. Fluent syntax: https://projectfluent.org/fluent/guide/. Sections follow the pages; keys begin with the section's name. */
export const en = `
## Times and amounts

today = Today
tomorrow = Tomorrow
yesterday = Yesterday
# Today 20:15
day-and-time = { $day } { $time }
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s

## Frame: around every page

frame-loading = Loading…
frame-waiting = Waiting for the recorder…
frame-skip = To the page
frame-pages = Pages
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = The recorder has not answered since { $time }. What you see is from then. Trying again…
# Read out when the page gets every change at once
frame-live = live
frame-connecting = connecting…
frame-guide-server = guide server
frame-colours = Colours: { $theme ->
    [light] light
    [dark] dark
   *[system] as the system
}
frame-language = Language
frame-signed-out = Signed out.
frame-sign-out = Sign out

## Navigation and common parts

# Names of pages. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
nav-tonight = Tonight
nav-guide = Guide
nav-recordings = Recordings
nav-rules = Rules
nav-more = More
nav-devices = Devices
nav-channels = Channels
nav-users = Users
nav-timeline = Timeline
nav-timers = Timers
nav-tuners = Tuners
nav-log = Log
# The page More: a line under each link
more-timeline = What each tuner records, hour by hour
more-timers = Everything to be recorded, and how it went
more-tuners = Reception, channels and disk space
more-log = What the recorder has been doing
more-guide-service = Guide service
more-guide-service-line = Where the recorder gets its programme and timers
more-users = Who may use this guide server
more-browser = This browser
more-recorder = Recorder
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = Sync now
more-syncing = The guide service is being asked.

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = Nothing is planned tonight.
tonight-only-running = { $count ->
    [one] 1 recording is running. Nothing else is planned tonight.
   *[other] { $count } recordings are running. Nothing else is planned tonight.
}
tonight-all = { $count ->
    [one] 1 recording is planned tonight.
   *[other] All { $count } recordings tonight are planned.
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [one] 1 recording tonight cannot be recorded as planned.
   *[other] { $planned } of { $count } recordings tonight are planned.
}
tonight-decisions = { $count ->
    [one] 1 decision needed.
   *[other] { $count } decisions needed.
}
tonight-decisions-title = Decisions
tonight-now = Recording now
tonight-next = Next, until tomorrow morning
tonight-lost = Not recorded
tonight-new = New to watch
tonight-show-all = Show all
# The same link, read out. $of is the title of its list: “New to watch”
tonight-show-all-of = Show all: { $of }
tonight-watch = Watch
tonight-watch-it = Watch { $name }
# $share is a percentage, of the broadcast and of the recording
tonight-over = { $share } is over
tonight-seen = { $share } seen
tonight-until = until { $time }
tonight-until-well = until { $time } · no interruptions
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = { $length } left
# Nothing was recorded in this home yet
tonight-start = Nothing is recorded yet. Find something in the <link>Guide</link>.
tonight-free = { $size } free.
tonight-hours = { $hours ->
    [0] Less than an hour of recordings still fits on the disk.
    [one] Space for about 1 more hour.
   *[other] Space for about { $hours } more hours.
}
# $at: “Tomorrow 00:50”
tonight-full = Disk full: { $at }

## Decisions: conflicts and what solves them


## Troubles, by error code


## States and verdicts


## Details of a recording


## What happened: the history of a timer


## Recordings


## Timers


## Timeline


## Tuners


## Log


## Player


## Programme


## Show


## Series and keywords


## Channels and listings


## Devices


## Users


## Signing in


## Setting up


## Guide service


## Notifications


## Messages to the guide service
`;
