/** English. Fluent syntax: https://projectfluent.org/fluent/guide/. Sections follow the pages; keys begin with the section's name. */
export const en = `
## Times and amounts

today = Today
tomorrow = Tomorrow
yesterday = Yesterday
# Inside a sentence: “since yesterday 20:15”
today-inside = today
tomorrow-inside = tomorrow
yesterday-inside = yesterday
# Today 20:15
day-and-time = { $day } { $time }
days = { $days ->
    [one] { $days } day
   *[other] { $days } days
}
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s
# 1 h 30 min
larger-and-smaller = { $larger } { $smaller }

## Frame: around every page

frame-loading = Loading…
frame-waiting = Waiting for the recorder…
frame-skip = Skip to content
frame-pages = Pages
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = The recorder has not answered since { $time }. This page shows the state at that time. Trying again…
frame-part-missing = A part of this page could not be loaded. The page reloads as soon as the recorder answers.
# Read out when the page gets every change at once
frame-live = live
frame-connecting = connecting…
frame-guide-server = guide server
frame-colours = Colours: { $theme ->
    [light] light
    [dark] dark
   *[system] same as the system
}
frame-language = Language
frame-signed-out = Signed out.
frame-sign-out = Sign out

## Navigation and common parts

# The name of a button that asks before it acts: Delete…
confirm-opens = { $label }…
confirm-keep = Keep it
dialog-close = Close

# Names of pages, and their headings. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
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
more-timers = Planned and finished recordings
more-tuners = Reception, channels and disk space
more-log = What the recorder has been doing
more-guide-service = Guide service
more-guide-service-line = Where the recorder gets its guide and timers
more-users = Who may use this guide server
more-browser = This browser
push-turn-on = Notify this browser
push-turn-off = Stop notifications here
push-is-on = This device now receives notifications. A test is on its way.
push-is-off = This browser no longer receives notifications.
push-insecure = Browsers can receive notifications only over a secure connection (https).
push-impossible = This browser cannot receive notifications. On an iPhone or iPad, add this page to the home screen first.
push-denied = The browser does not allow notifications from this page. Allow them in its settings.
push-refused = The browser’s push service refused the request. Try again later.
more-recorder = Recorder
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = Sync now
more-syncing = The recorder is asking the guide service.

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = Nothing is planned tonight.
tonight-only-running = { $count ->
    [one] 1 recording is running. Nothing else is planned tonight.
   *[other] { $count } recordings are running. Nothing else is planned tonight.
}
tonight-all = { $count ->
    [one] 1 recording is planned tonight.
   *[other] { $count } recordings are planned tonight.
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [one] Tonight’s recording cannot take place as planned.
   *[other] { $planned ->
        [0] None of tonight’s { $count } recordings can take place as planned.
       *[other] Only { $planned } of tonight’s { $count } recordings can take place as planned.
    }
}
tonight-decisions = { $count ->
    [one] 1 decision needed.
   *[other] { $count } decisions needed.
}
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
tonight-over = { $share } elapsed
tonight-until = until { $time }
tonight-until-well = until { $time } · no interruptions
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = { $length } left
# Nothing was recorded in this home yet
tonight-start = Nothing has been recorded yet. Find something in the <link>Guide</link>.
tonight-hours = { $hours ->
    [0] Space for less than 1 more hour.
    [one] Space for about 1 more hour.
   *[other] Space for about { $hours } more hours.
}
# $at: “Tomorrow 00:50”
tonight-full = Disk full: { $at }

## Decisions: conflicts and what solves them

decision-title = Decisions
decision-searching = The search for a better plan continues.
# $names: one or more titles. $start and $stop: times of day.
decision-lost = { $count ->
    [one] { $names } would not be recorded: no tuner is free from { $start } to { $stop }.
   *[other] { $names } would not be recorded: no tuner is free from { $start } to { $stop }.
}
# $lost: a length, such as 7 min. $from: a time of day.
decision-partly = { $names } would lose its first { $lost }: no tuner is free before { $from }.
# Somebody chose another recording before this one.
decision-settled = { $names } will not be recorded: another recording was given priority.
# A tuner that fails is tried all the same.
decision-uncertain = { $names } may not be recorded: its tuner has been failing, and no other is free.
decision-other = { $names } would not be recorded.
# Where and when: Das Erste, Today 20:15–21:45
decision-on = { $channel }, { $when }
decision-choices = Choices
# $at: a day and a time.
decision-repeat = Record the repeat: { $at }
decision-repeat-of = Record the repeat of { $name }: { $at }
decision-repeat-cost = On { $channel }. Nothing is lost.
decision-record = Record { $names }
# A title and when it begins, where titles are listed: News 20:00
decision-name = { $name } { $time }
decision-cost-nothing = Nothing is lost.
decision-cost-lost = { $count ->
    [one] { $names } is not recorded.
   *[other] { $names } are not recorded.
}
decision-cost-partly = { $count ->
    [one] { $names } loses a part.
   *[other] { $names } lose a part.
}
decision-cost-mixed = Not recorded: { $names }. In part: { $partly }.
decision-cost-cancel = { $name } is cancelled.
decision-done-repeat = The repeat of { $name } is being booked. This timer is cancelled as soon as it is.
decision-done-priority = { $name } now has priority, and the plan is being updated.
decision-done-cancel = { $name } is cancelled, and the plan is being updated.
# $tuner: the name of a tuner.
decision-add-tuner = A second tuner like { $tuner } would solve this.
decision-none = No single change would help: neither cancelling another recording, nor a higher priority, nor one more tuner.
decision-why = Why?
decision-change = Choose again
# $when: day and times.
decision-holder = { $tuner } records { $name } ({ $when }).
decision-show-all = Show all { $count }


## Troubles, by error code

# One sentence says what is wrong, another what to do.
trouble-title = Problems
# $at: a day and a time, or a time.
trouble-since = Since: { $at }
trouble-technical = Technical details
trouble-guide-sign-in = The guide service needs a new sign-in. Until then, no new timers arrive. <link>Sign in</link>
trouble-guide-few = { $listed ->
    [one] The guide service lists only 1 of { $held } timers. The recorder keeps all of them.
   *[other] The guide service lists only { $listed } of { $held } timers. The recorder keeps all of them.
}
trouble-clock = The recorder’s clock cannot be trusted. The recorder keeps recording, and reports results once the clock is right. Check its date and time.
trouble-clock-behind = The recorder’s clock seems to be { $by } behind. Check the date and time of the recorder.
trouble-clock-ahead = The recorder’s clock seems to be { $by } ahead. Check the date and time of the recorder.
trouble-data-disk-full = The disk for the recorder’s data is full. Running recordings continue; make room on that disk.
trouble-data-disk-low = The disk for the recorder’s data is full, and the recorder uses its reserve. Make room on that disk.
trouble-secrets = The recorder cannot read its stored passwords. Planned recordings are not affected.
trouble-secrets-earlier = The recorder cannot read its stored passwords, and uses the earlier ones until it restarts.
trouble-no-answer = The recorder does not answer.
trouble-answer = The recorder could not carry this out (status { $status }).
trouble-other = Something went wrong. See the technical details.

trouble-no-tuner-free = No tuner is free at this time: other recordings need them all.
trouble-guide-unreachable = The guide service cannot be reached. Check the internet connection; the recorder keeps trying.
trouble-guide-busy = The guide service is not available at the moment. The recorder keeps trying.
trouble-guide-unreadable = The recorder cannot read the answers of the guide service. Check its address in the settings.
trouble-guide-certificate = The connection to the guide service is not secure. Check the recorder’s date and the service’s certificate.
trouble-guide-set-aside = An answer of the guide service took too long to read. The recorder tries again by itself.
trouble-guide-signed-out = The guide service needs a new sign-in.
trouble-guide-forbidden = Your account does not allow this. Ask an owner of the household.
trouble-guide-not-found = The guide service no longer has this entry.
trouble-guide-refused = The guide service refused this change.
trouble-listing = The TV listings could not be loaded. The earlier listings stay in use.
trouble-channel = The recorder does not know where to receive this channel. Assign it on the page Tuners.
trouble-clock-wrong = The recorder’s clock was wrong at the time. Check the date and time of the recorder.
trouble-no-tuner-capable = No tuner receives this channel.
trouble-tuner-in-use = Another program uses the tuner.
trouble-no-signal = The tuner receives no signal. Check the aerial and the cable.
trouble-tuner-unreachable = The tuner does not answer. Check that it is on and connected.
trouble-tuner-forbidden = The recorder is not allowed to use the tuner. Give it the right to do so.
trouble-tuner-password = The tuner refuses the stored user name or password.
trouble-tuner-scan = The tuner no longer finds this channel. Scan for channels again.
trouble-stalled = The signal was interrupted. Check the reception.
trouble-ended = The tuner stopped sending data.
trouble-scrambled = The channel is encrypted, and this tuner cannot decrypt it.
trouble-excessive = The tuner sent data faster than any broadcast. Check its address.
trouble-capture-died = The recording stopped unexpectedly. The recorder starts it again.
trouble-capture-not-started = The recording could not be started.
trouble-disk-full = The disk for recordings is full. Delete recordings to make room.
trouble-disk-low = The disk for recordings is nearly full. Delete recordings to make room.
trouble-write-failed = The recorder cannot write to the disk for recordings. Check the disk.
trouble-disk-missing = The disk for recordings is missing. Connect it; recording then continues by itself.
trouble-disk-slow = The disk for recordings does not answer in time. Check the disk or the file server.
trouble-node-away = Another recorder of the fleet has a part of this recording, and is off. Start that machine.
trouble-file-unreadable = The file cannot be read.
trouble-file-foreign = Another program changed or replaced the file.
trouble-recording-unknown = This recording no longer exists.
trouble-recording-protected = The recording is protected. Remove the protection first.
trouble-index = You cannot skip in this recording yet. Play it from the beginning.
trouble-conversion-busy = The recorder already converts as much as it can. Try again when another viewer has stopped.
trouble-conversion-off = This device cannot play the recording without a conversion, and conversions are off.
trouble-conversion-failed = The conversion failed. The recording itself is unchanged.
trouble-data-folder = The recorder cannot save its data. Running recordings continue; check the disk of its data.
trouble-set-up = The recorder is not set up correctly. Its log says what to correct.
trouble-notify = The notification could not be sent. Check the settings of notifications.
trouble-planning = The plan could not be updated. Recordings follow the previous plan.
trouble-not-ready = The recorder is starting or busy. Try again in a moment.
trouble-site = The content site gave no usable answer. Try again later.
trouble-site-sign-in = The content site needs a sign-in.


## States and verdicts

# Chips: one or two words.
state-planned = planned
# Only a part will be recorded.
state-partly = in part
state-conflicted = conflict
state-tuning = tuning
state-waiting = trying again
state-recording = recording
state-closing = closing
state-completed = completed
state-partial = partial
state-failed = failed
state-missed = missed
state-cancelled = cancelled
verdict-perfect = perfect
verdict-good = good
verdict-damaged = damaged
verdict-unusable = unusable
file-missing = missing
file-changed = changed
file-unreadable = unreadable
file-truncated = truncated: { $size } of { $whole }
file-intact = intact
file-unproven = not verified

# Sentences about one recording.
result-planned = It will be recorded: { $when }.
result-partly = Only a part will be recorded: { $when }.
result-conflicted = It will not be recorded.
result-tuning = The recording is starting.
result-waiting = The recorder keeps trying until { $stop }.
result-recording = Recording now, until { $stop }.
result-closing = The recording is over, and the file is being finished.
result-completed = The recording is complete.
result-perfect = Recorded completely, without errors.
result-good = Recorded completely.
result-damaged = Recorded with errors: { $share } of the programme is present.
result-unusable = The recording is unusable: only { $share } of the programme is present.
# Without figures.
result-damaged-plain = Recorded with errors.
result-unusable-plain = The recording is unusable.
result-partial = Only a part was recorded: { $share } of the programme.
result-unverified = Recorded, but it is not known how much of the programme is present.
result-failed = Nothing was recorded.
result-missed = It was not recorded: its time has passed.
result-cancelled = It was cancelled.
result-clock = The recorder’s clock is not trusted. The result follows once the clock is right.
result-doubt = Tuner { $tuner } has been failing since { $at }. The recording will be attempted anyway.
result-doubt-plain = Its tuner has been failing. The recording will be attempted anyway.
# $lost: a length, such as 7 min.
result-late = The first { $lost } of the programme will not be recorded: no tuner is free before { $from }.
result-less-before = The padding before the programme is { $lost } shorter: another recording needs the tuner.
result-less-after = The padding after the programme is { $lost } shorter: another recording needs the tuner.
result-seam = It may begin up to { $lost } late: the tuner must first finish another recording.
result-no-errors = No reception errors.
result-errors = { $count ->
    [one] 1 reception error.
   *[other] { $count } reception errors.
}
# $spans: times of day with seconds.
result-missing = Missing: { $spans }
result-storage-missing = The disk has been missing since { $at }. The file will be finished when the disk is back.
result-storage-slow = The disk has not answered since { $at }, so the file is not finished yet.
result-node-away = Another recorder has a part of this recording, and has been off since { $at }, so the file is not finished yet.
result-storage-failed = The recorder has been trying to finish the file since { $at }.
repeat-booking = Its repeat is being booked: { $at } on { $channel }.
repeat-again = The repeat could not be booked yet. The recorder keeps trying.
repeat-booked = Its repeat is booked: { $at } on { $channel }.
repeat-needless = It is complete: its repeat is not needed.
repeat-healed = It was recorded completely at its repeat.
repeat-moved = Its repeat is recorded instead: { $at } on { $channel }.
repeat-given-up = Its repeat did not replace it.
repeat-not-booked = No repeat was booked.


## Details of a recording

detail-episode = Season { $season }, episode { $episode }
# What is behind it: padding, tuner, file, reception.
detail-more = More details
detail-channel = Channel
detail-event = Broadcast
detail-window = Including padding
detail-priority = Priority
detail-tuner = Tuner
detail-reported = Reported status
detail-not-reported = not reported yet
reported-waiting = waiting
reported-pending = waiting
reported-running = recording
reported-completed = completed
reported-failed = failed
detail-repeat = Repeat
detail-attempts = Attempts
detail-on-disk = On disk
# $size: 1.5 GB
detail-size = { $parts ->
    [one] { $size }
   *[other] { $size } in { $parts } parts
}
detail-of-event = Share of the programme
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share } ({ $length })
detail-lost-packets = Lost packets
detail-damaged-packets = Damaged packets
detail-encrypted-packets = Encrypted packets
detail-file = File
detail-wrong = Problem
detail-compared = Last check
detail-compared-at = { $verdict }, { $at }
detail-deleted-person = It was deleted by a user.
detail-deleted-retention = It was deleted to make room.
detail-deleted-repeat = It was deleted: a complete repeat has replaced it.
detail-delete = Delete
detail-delete-ask = Delete the recording? This cannot be undone.
detail-delete-verb = Delete permanently
detail-delete-done = Deleted.
detail-protect = Protect
detail-protect-done = Protected: it will not be deleted to make room.
detail-unprotect = Remove protection
detail-unprotect-done = No longer protected.
detail-watched = Watched
detail-watched-done = Marked as watched.
detail-unwatched = Not watched
detail-unwatched-done = Marked as not watched.
detail-verify = Check the file
detail-verify-done = The file is being checked.
detail-change = Change the timer
detail-before = Minutes before
detail-after = Minutes after
detail-padding = Change padding
detail-padding-done = The guide service now has this padding.
detail-priority-change = Change priority
detail-priority-done = The plan is being updated.
detail-cancel = Cancel the timer
detail-cancel-ask = Cancel the timer in the guide service? The part recorded so far stays.
detail-cancel-verb = Cancel the timer
detail-cancel-done = Cancelled.

## Recordings of another recorder

imported-by = Recorded by { $recorder }, which owns the file.
imported-out = Remove from the list
imported-out-ask = Remove the recording from this list? { $recorder } keeps the file.
imported-out-verb = Remove
imported-out-done = Removed from the list.


## What happened: the history of a timer

# Each of these is one line of a history, with its time before it.
happened-title = What happened
happened-lines = { $count ->
    [one] 1 entry
   *[other] { $count } entries
}
# The same line several times in a row.
happened-times = { $text } ({ $count } times)
# $zone: the name of a time zone, such as Europe/Berlin.
happened-technical = Technical details, in English. Times are in the zone { $zone }.
happened-technical-plain = Technical details, in English. Times in the sentences are in the recorder’s time zone.
# Stands for a value that an earlier version did not keep.
happened-unknown = unknown
# $since: a day and a time.
happened-started = The recorder started. It had been off since: { $since }
happened-clock-forward = The recorder’s clock was set forward by { $by }.
happened-clock-back = The recorder’s clock was set back by { $by }.
happened-clock-not-trusted = The recorder’s clock was not trusted from then on. No recording was ended because of it.
happened-clock-trusted = The recorder’s clock was trusted again.
happened-asleep = The recorder was asleep: { $when }.
happened-off = The recorder was off: { $when }.
happened-ordered = Booked: { $name } on { $channel }, { $when }.
happened-order-changed = The programme was moved: { $when }.
happened-priority = The priority was changed to { $priority }.
happened-padding = The padding was changed to { $before } min before and { $after } min after.
happened-override-removed = The recorder’s own priority and padding were removed.
happened-repeat-ordered = The repeat is being booked: { $at } on { $channel }.
happened-repeat-booked = The repeat is booked.
happened-repeat-delayed = The repeat could not be booked yet. The recorder keeps trying.
happened-repeat-cancelling = The timer is being cancelled: its repeat replaces it.
happened-repeat-dropping = The recording is complete, so its repeat is being cancelled.
happened-repeat-moved = The repeat is recorded instead.
happened-repeat-healed = The repeat was recorded completely.
happened-repeat-needless = The repeat is no longer needed.
happened-repeat-given-up = The repeat did not replace it.
happened-absent = The guide service no longer lists the timer, so it counts as cancelled.
happened-not-understood = The guide service’s entry could not be read.
happened-placed = Planned on tuner { $tuner }.
happened-tuner-changed = Planned on tuner { $tuner } instead.
happened-displaced = It lost its place in the plan.
happened-trimmed = Planned with less padding, or in part.
happened-conflict = It had no place in the plan.
happened-held-back = It was due, but could not start yet.
happened-flowing = Recording began on tuner { $tuner }.
happened-doubted = The recording seemed to fail, so a second one began on tuner { $tuner }.
happened-drained = The recording’s machine is being drained, so a second recording began on tuner { $tuner }.
happened-relieved = The recording continues on tuner { $tuner }.
happened-followed = The recording follows the broadcast, until { $stop }.
happened-lease-taken = Tuner { $tuner } was in use for something else, and was freed for this recording.
happened-tuner-quarantined = Tuner { $tuner } stopped working.
happened-tuner-back = Tuner { $tuner } works again.
happened-adopted = The recorder restarted, and the recording went on without a gap.
happened-attempt-failed = An attempt to record failed.
happened-withdrawn = It was cancelled.
happened-missed = Its time passed without a recording.
happened-over = Its time is over, and the file is being finished.
happened-closing-failed = The file could not be finished. The recorder keeps trying.
happened-evidence = On disk: { $covered } of { $length }.
happened-plain-name = The disk did not accept the full file name, so the file has a plain one.
happened-gap = Nothing was recorded: { $span }.
happened-gap-picture = The picture is missing: { $span }.
happened-gap-sound = The sound is missing: { $span }.
happened-whole = The recording was finished.
happened-shortened = Only a part was recorded.
happened-empty = Nothing was recorded.
happened-discarded = It was cancelled. The part recorded so far is kept.
happened-deleted-person = It was deleted by a user.
happened-deleted-retention = It was deleted to make room.
happened-deleted-repeat = It was deleted: a complete repeat has replaced it.
happened-file-gone = Another program removed the file.
happened-file-back = The file is back.
happened-file-damaged = The file was damaged after the recording.
happened-file-sound = The file is intact again.
happened-report-refused = The guide service refused the report.
happened-ordered-rule = Booked by a rule: { $name } on { $channel }, { $when }.
happened-rule-changed = The rule that booked it was changed.


## Recordings

recordings-search = Search recordings
# A filter: recordings that somebody has begun to watch.
recordings-unfinished = Unfinished
recordings-count = { $count ->
    [one] 1 recording
   *[other] { $count } recordings
}, { $size }
recordings-empty = No recordings
recordings-empty-next = Find a show in the <link>guide</link> and record it. The recording appears here when it has ended.
recordings-none-match = No recording matches.
recordings-none-match-next = Try other words, or show all recordings.
recordings-show-all = Show all
# $share is a percentage.
recordings-seen = { $share } watched
recordings-protected = protected
recordings-watched = watched

# The picture of a recording's bit rate, with what is missing in it.
integrity-picture = Bit rate over time
integrity-rate = { $average } on average, { $most } at most.
integrity-whole = Nothing is missing.
# $gaps is a list: 2 s at 20:15:03 and 1 min of picture at 20:40:00.
integrity-missing = Missing: { $gaps }.
integrity-gap = { $lacks ->
    [picture] { $length } of picture at { $at }
    [sound] { $length } of sound at { $at }
   *[all] { $length } at { $at }
}
# The time stamps of the broadcast do not go on.
integrity-clock = { $count ->
    [one] The clock of the broadcast jumps once.
   *[other] The clock of the broadcast jumps { $count } times.
}
integrity-damaged = { $count ->
    [one] 1 packet is damaged.
   *[other] { $count } packets are damaged.
}
integrity-junk = { $size } cannot be read.


## Timers

timers-search = Search timers
timers-which = Timers to show
timers-filter-upcoming = Upcoming
timers-filter-running = Running
timers-filter-trouble = With problems
timers-filter-ended = Ended
timers-filter-all = All
timers-count = { $count ->
    [one] 1 timer
   *[other] { $count } timers
}
timers-empty = No timers
timers-empty-next = Find a show in the <link>guide</link> and record it, or <rules>record a whole series</rules>.
timers-none-match = No timer matches.
timers-none-match-next = Choose other timers or other words.
timers-show-all = Show all


## Timeline

timeline-view = Timeline view
timeline-now = Now
timeline-zoom-out = Zoom out
timeline-zoom-in = Zoom in
timeline-range = Tuners over time, from one day ago to two weeks ahead
timeline-recordings = Recordings by tuner
timeline-tuner = Tuner { $id }
timeline-no-tuner = No tuner
# Several recordings share a tuner: it receives all of their channels at once.
timeline-shared = { $count ->
    [one] 1 recording on this tuner
   *[other] { $count } recordings share this tuner
}
# What a screen reader says of a recording, and what the mouse shows.
timeline-bar = { $name }, { $channel }, { $when }, { $state }
timeline-legend = What the colours mean
timeline-legend-planned = Planned
timeline-legend-busy = Recording
timeline-legend-good = Complete
timeline-legend-warn = Conflict or damaged
timeline-legend-bad = Failed or missed
timeline-legend-padding = Padding
timeline-legend-shared = Shared tuner
timeline-empty = Nothing is planned.
timeline-empty-next = Find a show in the <link>guide</link> and record it. It appears here beside its tuner.


## Tuners

tuners-title = Tuners and disk
tuners-empty = No tuner is set up.
tuners-empty-next = Without a tuner, nothing can be recorded. The command “recorderd tuners discover” finds tuners on your network.
tuners-state-free = free
tuners-state-tuning = tuning
tuners-state-receiving = receiving
# Somebody watches television with it, or it looks for guide data.
tuners-state-lent = in use
tuners-quarantined = out of order
# For maintenance: it gets nothing new.
tuners-drained = drained
nodes-title = Machines
nodes-state-leader = leader
nodes-state-standby = standby
nodes-state-away = away
tuners-kind = Kind
tuners-multiplex = Multiplex
tuners-held = In use until
tuners-signal = Signal
tuners-signal-locked = locked
tuners-signal-none = none
tuners-strength = Signal strength
tuners-dbm = { NUMBER($value, maximumFractionDigits: 1) } dBm
# Signal-to-noise ratio.
tuners-snr = Signal-to-noise ratio
tuners-db = { NUMBER($value, maximumFractionDigits: 1) } dB
tuners-quality = Signal quality
tuners-blocks = Lost blocks
tuners-trouble = Last problem
tuners-trouble-at = { $at }: { $what }
tuners-out-since = Out of order since
tuners-next-try = Next try
tuners-received = Reception so far
tuners-failed = Failed
tuners-lock = Time to lock
tuners-errors = Errors
tuners-failed-of = { $failures } of { $tries }
# Damaged packets in a million.
tuners-per-million = { $count } per million
tuners-disk = Disk for recordings
tuners-space-room = { $hours ->
    [0] Space for less than an hour
    [one] Space for about 1 hour
   *[other] Space for about { $hours } hours
}
tuners-space-short = Too small for what is planned
tuners-space-low = Nearly full
tuners-space-full = Full: nothing is recorded
tuners-space-offline = Not connected
tuners-space-left = Space left
tuners-space-hours = { $hours ->
    [0] less than an hour of television
    [one] about 1 hour of television
   *[other] about { $hours } hours of television
}
tuners-free = Free
tuners-free-of = { $free } of { $total }
tuners-planned = Planned
tuners-full = Full
# Unless recordings are deleted.
tuners-full-never = not in the foreseeable future
tuners-full-plan = { $at }, before everything planned is recorded
tuners-full-pace = { $day }, if you keep recording this much
tuners-recorder = Recorder
tuners-version = Version
tuners-since = Running since
tuners-timers = Timers fetched
tuners-timers-never = not yet
tuners-reports = Reports waiting
tuners-clock = Clock
tuners-clock-right = correct
tuners-clock-unsure = may be wrong
# The machine must not sleep then.
tuners-awake = Awake by
tuners-data = Data folder


## Log

# What the recorder did, for those who look after it. Its lines are English.
log-about = What the recorder has been doing, in English, for the person who maintains it.
log-level = Lines to show
log-level-info = All
log-level-warn = Warnings
log-level-error = Errors
log-line-info = info
log-line-warn = warning
log-line-error = error
log-count = { $count ->
    [one] 1 line
   *[other] { $count } lines
}
log-lines = Lines of the log, latest first
log-empty = No lines
log-empty-level = No such line has been written since the recorder started. That is good news.
log-empty-all = The recorder has written nothing since it started.
log-show-all = Show all lines


## Player

player-title = Player
player-video = Video
player-recording = Recording
player-live-television = Live television
player-play = Play
player-pause = Pause
player-stop = Stop playing
# $position is a time such as 42:10.
player-resume = Resume at { $position }
player-from-beginning = From the beginning
player-next-episode = Next episode: { $name }
player-other = Open in VLC or mpv
player-download = Download
player-back = { $seconds ->
    [one] 1 second back
   *[other] { $seconds } seconds back
}
player-forward = { $seconds ->
    [one] 1 second forward
   *[other] { $seconds } seconds forward
}
# A button: to the newest picture of live television.
player-to-live = Live
player-position = Position
# Both values are spoken times: 1 minute 5 seconds of 30 minutes.
player-position-of = { $position } of { $length }
# $length is a spoken time.
player-missing = Missing: { $length }
player-sound-on = Sound on
player-sound-off = Sound off
player-volume = Volume
player-floating = Picture in picture
player-full = Full screen
player-full-leave = Leave full screen
player-speed = Speed
player-rate = { NUMBER($rate, maximumFractionDigits: 2) } ×
player-tuning = Tuning…
player-cannot = This browser cannot play this video, which may be in a format such as MPEG-2. Use a player such as VLC.
player-no-index = The recorder will prepare this recording for playback as soon as the recorder is idle. Try again later, or download the file.

# The choice between sound tracks.
player-sound = Audio track
player-sound-number = Audio track { $number }
player-sound-description = { $name } (audio description)
player-sound-codec = { $name } ({ $codec })
player-subtitles = Subtitles
player-subtitles-off = Subtitles off
player-subtitles-hard-of-hearing = { $name } (for the hard of hearing)
# Another track with the same name.
player-track-again = { $name } ({ $number })

player-keys = Keyboard shortcuts
player-key-space = Space, k
player-key-toggle = play or pause
player-key-skip = { $seconds ->
    [one] 1 second back or forward
   *[other] { $seconds } seconds back or forward
}
player-key-jump = { $back } seconds back, { $forward } seconds forward
player-key-volume = volume
player-key-mute = sound off or on
player-key-full = full screen
player-key-sound = next audio track
player-key-subtitles = subtitles off or on
player-key-speed = slower or faster
player-key-digits = 0 to 9
player-key-part = to the beginning, 10%, … 90%
player-key-help = show or hide these shortcuts
player-key-escape = Esc
player-key-close = close


## Programme

programme-search = Search titles and descriptions
programme-search-titles = Search titles
programme-day = Day
programme-day-before = Previous day
programme-day-after = Next day
programme-shows = { $count ->
    [one] 1 show
   *[other] { $count } shows
}
programme-results = Search results
programme-grid = Programme by channel and time
# The tooltip of a show in the grid: News, Today 20:00–20:15
programme-show-at = { $title }, { $when }
# Several shows of a few minutes share one place in the grid: News, Weather
programme-short-shows = { $count ->
    [one] 1 short show: { $titles }
   *[other] { $count } short shows: { $titles }
}
programme-short-title = Short shows
# A channel that the guide no longer lists, by its number.
programme-channel-unknown = Channel { $id }
# Two looks: a list of what is on now and next, and a grid of channels and times
programme-look = Guide view
programme-look-now = Now and next
programme-look-grid = Grid
programme-nothing-now = No programme data
programme-empty = The guide has no channels.
programme-empty-next = Channels appear here once the guide service has listings for your region.
# A button: it shows this time in the grid
programme-prime-time = Prime time
programme-genre = Genre
genre-movie = Films and series
genre-news = News
genre-show = Entertainment
genre-sports = Sport
genre-children = Children
genre-music = Music
genre-arts = Arts and culture
genre-society = Society and politics
genre-education = Education and science
genre-leisure = Leisure


## Show

show-channel = Channel
show-time = Time
show-episode = Episode
show-categories = Categories
show-record = Record
show-record-it = Record { $title }
# Notice after a click on Record.
show-booked = Booked.
# $names: one or more channels.
show-unreceived = Booked, but no tuner receives { $names }, so nothing can be recorded there. Assign a service on the page Tuners.
show-cancel = Cancel the recording
show-cancelled = Cancelled.
show-series = Record the whole series
show-series-of = Record the whole series: { $title }
show-series-booked = Every episode will be recorded, once. See Rules.
show-favourite = Add to favourites
show-favourite-added = Added to favourites. See Rules.
# Searches for all broadcasts with this title.
show-alike = All airings
# $state: what the guide server knows of the timer, from its recorder or box.
show-booked-on = { $state ->
    [running] Booked on { $device }. It is being recorded.
    [completed] Recorded on { $device }.
    [failed] Booked on { $device }. The recording failed.
    [missing] Booked on { $device }, which no longer has the timer.
   *[other] Booked on { $device }.
}
show-cancel-on = Cancel on { $device }


## Series and keywords

series-recorded-hint = Every episode is recorded, once.
series-keywords-hint = Every show with all these words in its title is recorded, each episode once.
series-remove-favourite = Remove { $title }
series-favourite-removed = Favourite removed.
series-any-channel = Any channel
# Channel and time of day: BBC One, about 20:15
series-channel-about = { $channel }, about { $time }
series-quality = Quality
series-prefer-hd = Prefer HD
series-hd-only = HD only
series-prefer-sd = Prefer SD
series-sd-only = SD only
series-save = Save
series-saved = Saved.
series-stop = Stop recording
series-stop-question = Stop recording { $name }? Its timers are cancelled. Existing recordings stay.
series-stopped = { $name } is no longer recorded.


## Rules

rules-new = New rule
rules-empty = No rules
rules-empty-next = Create a rule, or find a show in the <link>guide</link> and record its whole series.
# What kind of entry a row of the list is.
rules-kind-series = Series
rules-kind-keyword = Keyword
rules-kind-favourite = Favourite
rules-paused = Paused
# The next recording: Next: Today 20:15 on BBC One
rules-next = Next: { $at } on { $channel }
rules-next-none = No upcoming recording
rules-change = Change
rules-favourite-line = Only a favourite: it is not recorded.
# A rule in one line: New episodes on BBC One, weekdays after 18:00, keep the newest 5
rules-line-and = { $first }, { $more }
rules-line-what = { $what ->
    [new] New episodes
    [first] First airing of each episode
    [new-first] First airing of each new episode
   *[all] All shows
}
rules-line-what-on = { $what ->
    [new] New episodes on { $channels }
    [first] First airing of each episode, on { $channels }
    [new-first] First airing of each new episode, on { $channels }
   *[all] All shows on { $channels }
}
# The end of a list of channels: BBC One, BBC Two and 3 others
rules-line-others = { $count ->
    [one] 1 other
   *[other] { $count } others
}
rules-line-words = { $place ->
    [all] “{ $words }” in title or description
   *[title] “{ $words }” in the title
}
rules-line-expression = { $place ->
    [all] title or description matches { $expression }
   *[title] title matches { $expression }
}
rules-line-series = a series in the guide
rules-line-genres = genre: { $genres }
rules-line-without = without “{ $words }”
rules-line-weekdays = weekdays
rules-line-weekend = weekends
rules-line-after = after { $from }
rules-line-before = before { $until }
rules-line-between = between { $from } and { $until }
# weekdays after 18:00
rules-line-days-and-time = { $days } { $time }
# The length of a show
rules-line-least = at least { $least }
rules-line-most = at most { $most }
rules-line-length = { $least } to { $most }
rules-line-keep = { $count ->
    [one] keep the newest one
   *[other] keep the newest { $count }
}
rules-field-words = Words in the title
rules-field-words-all = Words in title or description
rules-field-words-hint = All of them, in any order; quotation marks keep words together
rules-field-expression = Regular expression
rules-field-expression-hint = A pattern for several titles: ^(News|Weather)
rules-field-channels = Channels
rules-channels-find = Find a channel
rules-field-new = New episodes only
rules-more = More conditions
rules-group-show = Show
rules-group-time = Time
rules-group-recording = Recording
rules-field-name = Name of the rule
rules-field-all-text = Also search subtitle and description
rules-field-without = Excluded words
rules-field-without-hint = None of them may be in title or description; quotation marks keep words together
rules-field-genres = Genres
rules-field-categories = Other categories of the guide
rules-field-categories-hint = Separated by commas
rules-field-days = Days
rules-field-from = Begins at or after
rules-field-until = Begins before
rules-field-min = Shortest length (minutes)
rules-field-max = Longest length (minutes)
rules-field-first = Only the first airing of each episode
rules-field-keep = Recordings to keep
rules-field-keep-hint = A new one replaces the oldest
rules-field-priority = Priority (0 to 100)
rules-field-folder = Folder
rules-field-folder-hint = Below the folder of recordings: Crime/Sunday
rules-field-paused = Paused: it records nothing for now
rules-preview = Preview
rules-preview-start = Enter words, an expression or a genre to see what would be recorded.
rules-preview-looking = Looking for shows…
rules-preview-none = No show in the next two weeks matches.
rules-preview-records = { $total ->
    [one] Records { $records } of 1 show in the next two weeks.
   *[other] Records { $records } of { $total } shows in the next two weeks.
}
rules-preview-paused = { $total ->
    [one] Paused: it would record { $records } of 1 show in the next two weeks.
   *[other] Paused: it would record { $records } of { $total } shows in the next two weeks.
}
rules-preview-many = So many shows match that only those before { $at } are counted: records { $records } of { $total }.
rules-preview-unidentified = { $count ->
    [one] The guide does not identify the episode of one of them: a repeat of it would be recorded again.
   *[other] The guide does not identify the episodes of { $count } of them: their repeats would be recorded again.
}
rules-preview-displaced = Other recordings would lose a part:
# News, Today 20:00–20:15: 5 min missing
rules-preview-loses = { $title }, { $when }: { $lost } missing
rules-preview-loses-all = { $title }, { $when }: not recorded
rules-preview-unplaced = No tuner is free for:
# A show with its time: News, Today 20:00
rules-preview-at = { $title }, { $at }
rules-preview-space = Needs about { $needs } on the disk; { $free } are free.
rules-preview-no-space = Needs about { $needs } on the disk, but only { $free } are free.
rules-preview-first = Only the first { $count } are listed.
rules-preview-list = Matching shows
rules-saved-exceeds = The rule is saved, but not everything can be recorded.
# Chips: what becomes of a show that fits a rule.
rules-fate-records = Will record
rules-fate-noTuner = No tuner
rules-fate-ordered = Already booked
rules-fate-otherAiring = Other airing
rules-fate-recorded = Recorded before
rules-fate-declined = Cancelled
rules-fate-repeat = Repeat
rules-fate-later = Later airing
rules-fate-noRoom = Limit reached
rules-reason-noTuner = All tuners are in use at this time.
rules-reason-unidentified = The guide does not say which episode this is.
rules-reason-ordered = You or another rule has already booked it.
rules-reason-otherAiring = Another airing of this episode is recorded.
rules-reason-recorded = This episode has already been recorded.
rules-reason-declined = You cancelled this episode.
rules-reason-repeat = It is a repeat, and the rule wants only new episodes.
rules-reason-later = The rule wants the first airing only.
rules-reason-noRoom = The account has reached a limit.
# A button at a show: opens the dialog of a rule with the show’s title and channel.
rules-from-show = Record like this…
# A button beside the results of a search.
rules-from-search = Create a rule…
# What is wrong with a field of the dialog.
rules-mistake-name = The name is missing or too long.
rules-mistake-words = These words are too long, or have neither letters nor digits.
rules-mistake-expression = This expression cannot be used: check its brackets. It may be too long, or use a feature that is not supported, such as (?=…).
rules-mistake-number = This number is too small, too large, or not whole.
rules-mistake-folder = Write names separated by /, without special characters: Crime/Sunday


## Channels and listings

channels-search = Search channels
channels-count = { $count ->
    [one] 1 channel.
   *[other] { $count } channels.
} Listed, but not in the guide: { $unmatched }. Without a listing: { $bare }.
channels-unmatched = Listed, but not found in the guide
channels-unmatched-list = Unmatched channels of listings
channels-in-guide = In the guide
channels-in-guide-list = Channels of the guide
channels-no-programmes = No programmes
channels-until = Programmes until { $at }
# The channel number on the remote control; several are separated by commas.
channels-number = Number { $number }
# The triplet names a service of a DVB network: three numbers.
channels-no-triplet = No triplet
channels-no-listing = No listing
channels-listed-as = In the listing
channels-is = Channel
channels-matched = Matched
channels-note = Note
channels-set = Set by hand
channels-pending = The listings are being read with this setting. Look again in a moment.
channels-target = Channel of the guide
# ONID/TSID/SID is a triplet; lcn, name and ignore are typed as they stand here.
channels-target-text = Or ONID/TSID/SID, lcn N, name NAME, or ignore
channels-use = Use this channel
channels-used = Setting saved. The listings are being read again.
channels-automatic = Match automatically
channels-automatic-done = The channel is matched automatically again.
channels-owners-only = Only owners of the first account on this server can match channels of listings.
# How a channel of a listing was matched with one of the guide.
channels-by-table = by hand
channels-by-before = as before
channels-by-triplet = by triplet
channels-by-name = by name
channels-by-short-name = by short name
channels-by-known-name = by a known name
channels-by-lcn = by channel number
channels-by-new = added as a channel
channels-by-ignored = left out
channels-by-taken = another channel of a listing matches it
listings-title = Listings
listings-one = Listing { $name }
listings-unread = It has not been read yet.
listings-read = { $programmes ->
    [one] 1 programme
   *[other] { $programmes } programmes
}, read { $at }; { $flaws ->
    [0] no errors
    [one] 1 error
   *[other] { $flaws } errors
}.
# $reason is technical and in English.
listings-unreadable = It has not been readable since { $at }, so its previous content stays in use: { $reason }
listings-pending = It is being read again. Look again in a moment.
listings-flaw = { $kind ->
    [ampersand] A bare &
    [less-than] A bare <
    [entity] An unknown entity
    [character] A forbidden character
    [encoding] A wrong character encoding
    [tag] A faulty tag
    [element] An element in a wrong place
    [channel] A faulty channel
    [time] A faulty time
    [zone] A time without a time zone
    [stop] A missing or faulty end
    [overlap] Programmes that overlap
    [duplicate] A programme listed twice
    [title] A missing title
    [number] A faulty episode number
   *[other] An error
}, { $count ->
    [one] once
   *[other] { $count } times
}{ $leftOut ->
    [0] .
   *[other] , { $leftOut } left out.
}
# $reason is technical and in English.
listings-line = Line { $line }: { $reason }
listings-zone = Times of { $name }
listings-zone-stated = As stated
listings-zone-set = Apply
listings-zone-done = { $name } is being read again with this time zone.
reception-none-yet = The recorder has not fetched the guide’s channels yet.
reception-all = { $count ->
    [one] The only channel of the guide is received.
   *[other] All { $count } channels of the guide are received.
}
reception-some = No tuner receives { $missing } of the { $count } channels of the guide.
reception-missing = Not received
reception-missing-list = Channels that no tuner receives
# $services: triplets, each three numbers.
reception-why = { $name }: no tuner receives { $services }.
reception-why-unknown = { $name }: no tuner offers a service with this number or name.
reception-service = Service of { $name }
reception-assign = Assign { $name }
reception-assigned = { $name } is now { $service }.
reception-watch-live = Watch live
reception-list = Received channels
# $channel: number and name.
reception-watch = Watch { $channel }
reception-by-hand = Assigned by hand
reception-is = { $name }: { $service }
reception-automatic = Match { $name } automatically
reception-automatic-done = { $name } is matched automatically again.


## Devices

devices-none = None yet. A box or a recorder appears here when it signs in with your account.
devices-silent-after = { $days ->
    [one] A device is silent after 1 day without contact.
   *[other] A device is silent after { $days } days without contact.
}
devices-silent = silent
devices-model = Model
devices-number = Number
devices-identity = Identity
devices-last-contact = Last contact
devices-never = Has never signed in
devices-name = Name
devices-rename = Rename
devices-renamed = Name changed.
devices-remove = Remove
devices-remove-question = Remove { $name }? A box that signs in again reappears here.
devices-removed = Removed.
devices-details = Reception and log
devices-not-scanned = It has not reported a scan.
devices-scanned = { $count ->
    [one] 1 service received, scanned { $at }.
   *[other] { $count } services received, scanned { $at }.
}
devices-receives-all = They include all channels of the region.
devices-not-received = { $count ->
    [one] 1 channel of the region was not found: { $names }.
   *[other] { $count } channels of the region were not found: { $names }.
}
devices-no-log = It has not sent its log.
devices-log = Last lines of its log, the newest first
# Chooses the device that records.
devices-recorded-by = Recorded by


## Users

users-hint = Every person has a name and a password. Boxes and recorders also sign in as users: create a member for each.
users-add-title = Add a user
users-add = Add
users-name = Name
users-rights = Rights
users-may-owner = Owner: may do everything and manage users
users-may-member = Member: may view, book and manage boxes
users-may-viewer = Viewer: may only view
# Marks of a user.
users-role-owner = owner
users-role-member = member
users-role-viewer = viewer
users-you = you
users-since = Since
users-sessions = Signed-in devices
users-timers = Timers
users-rules = Series and keywords
users-give = Change rights
users-given = { $name } now has these rights and must sign in again.
users-remove = Remove
users-remove-question = Remove { $name }? The user and all their boxes are signed out at once. Timers and rules stay.
users-removed = Removed.
users-change-password = Change password…
users-new-password = New password for { $name }
users-set-password = Set password
users-password-set = { $name } has a new password and must sign in again.


## Signing in

sign-in-verb = Sign in
sign-in-guide-server = Guide server
sign-in-name = Name
sign-in-email = E-mail address
sign-in-name-or-email = Name or e-mail address
sign-in-password = Password
sign-in-new-password = Password, at least 8 characters
sign-in-region = Region
sign-in-create = Create account
sign-in-create-instead = Create an account…
sign-in-have-account = I have an account
# The words in angle brackets are a file name.
sign-in-no-account = There is no account yet. To create it, open the link in the file <code>first-account</code> of the server’s data folder, which only its owner can read.
sign-in-first-account = There is no account yet. Create one for your household. Recorders and boxes also sign in with it.
sign-in-another-account = Create an account for your household. Recorders and boxes also sign in with it.
sign-in-wrong = The name or the password is wrong.
sign-in-link-used = This link has been used or has expired: get a new one.
sign-in-no-user = No user has a password yet.
sign-in-no-password = No password?
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = <code>recorderd web open</code> on the recorder’s machine prints a link that signs a browser in. <code>recorderd web password NAME</code> sets the password of a user.
sign-in-not-set-up = This recorder is not set up yet. <code>recorderd setup --web</code> has printed a link in its terminal or log. The code is the part after <code>#link=</code>. It works once.
sign-in-code = Code


## Setting up

# Title of the window.
setup-page = Setup
setup-title = Set up the recorder
setup-steps = Steps
setup-step-guide = Guide service
setup-step-recorder = Region and device
setup-step-tuners = Tuners
setup-step-recordings = Recordings
setup-step-user = User
setup-step-check = Check and start
setup-continue = Continue
setup-more = More
setup-timers-from = Where do your timers come from?
setup-guide-own = My own guide service, on this machine
setup-guide-other = Another guide service
setup-guide-address = Address
setup-account = Your account
setup-account-hint = Without an account, nothing is recorded. You can also sign in later.
setup-account-own = To create an account, open the page of your guide service: port { $port } of this machine.
setup-api-key = API key of the service
setup-api-key-hint = Only some services need one. Their operator provides it.
setup-join = Join a fleet of recorders
setup-join-hint = Run recorderd fleet invite on another recorder of the fleet, and paste what it prints.
setup-join-invitation = Invitation
setup-join-node = Name of this recorder in the fleet (empty: that of the machine)
setup-join-verb = Join
setup-join-database-hint = Or enter the database of the fleet, and answer the other questions here.
setup-join-database = Address of the database
setup-join-password = Password of the database
setup-join-secret = Secret of the fleet (empty: this recorder stands by)
setup-join-stored = The database is noted. Answer the other questions now.
setup-time-zone = Time zone
setup-device = What this recorder records
setup-device-new = Timers of a new device: this recorder is registered with the service
setup-device-all = Timers of all devices of the account
setup-device-one = Timers of { $device }
setup-tuners-used = Tuners to use
setup-tuner = { $kind }, { $place }
setup-tuner-trying = Testing its reception…
setup-tuner-untried = Not tested yet.
setup-tuner-works = Works: picture or sound of { $channel } arrived after { $time }. It offers { $received } of the { $count } channels of the guide.
setup-tuner-sign-in = Its server needs a user and a password, or rejects those that you entered.
setup-tuner-scan = { $frequencies ->
    [one] Its list has no triplets for 1 frequency: the tuner scans it while no recording needs it.
   *[other] Its list has no triplets for { $frequencies } frequencies: the tuner scans them while no recording needs it.
}
setup-tuner-none = It receives none of the { $count } channels of the guide.
# $examples: names of some of the services.
setup-tuner-others = It receives none of the { $count } channels of the guide. It offers { $services ->
    [one] 1 service
   *[other] { $services } services
}, such as { $examples }: assign them to channels on the page Tuners.
setup-tuner-silent = { $channel }: neither picture nor sound arrived.
# $reason is a whole sentence.
setup-tuner-not-received = { $channel } is not received: { $reason }
setup-tuner-user = User for { $place }
setup-tuner-password = Password for { $place }
setup-tuner-sign-in-verb = Sign in to { $id }
setup-tuner-try = Test { $id } again
setup-tuner-remove = Remove { $id }
setup-tuner-removed = Removed.
setup-look = Search for tuners
setup-looked = The search is finished.
setup-found-none = There is no DVB card in the machine, and no server answers on its networks.
setup-found = Tuners found
# $tuner: kind, address and name of a tuner that was found.
setup-use = Use { $tuner }
setup-add-by-hand = Add a tuner by its address
setup-add = Add and test
setup-kind = Kind of tuner
setup-channel-list = Channel list, a file on the recorder’s machine
setup-channel-list-optional = Channel list, a file on the recorder’s machine (optional)
setup-simulator = Try recorderd without a tuner
setup-simulator-hint = The simulated broadcaster replaces the aerial. Start it with <code>recorderd broadcaster</code>.
setup-simulator-add = Add the simulator
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = SAT>IP server
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Enigma2 receiver
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = DVB card of the recorder’s machine
setup-kind-url = IPTV list (M3U)
setup-kind-file = Transport stream file
setup-kind-mock = Simulated broadcaster
setup-place-hdhomerun = Address of the device
setup-place-satip = Name or address of the server
setup-place-tvheadend = Address of the server
setup-place-enigma2 = Address of the receiver
setup-place-mirakurun = Address of the server
setup-place-dvb = Number of the card
setup-place-url = Path of the M3U list
setup-place-file = Path of the file
setup-place-mock = Address of the broadcaster
setup-folder = Folder for recordings, on the recorder’s machine
setup-before = Seconds to record before each event
setup-after = Seconds to record after each event
setup-user-hint = You sign in with this name and password when you open this recorder from another machine.
setup-check-account = Account
setup-check-no-account = None. You can sign in later.
setup-check-device = Records
setup-check-padding = Padding
setup-padding = { $before } before, { $after } after
setup-folder-there = { $folder }; { $free } free
setup-folder-new = { $folder }, to be created; { $free } free
setup-check-user = User
setup-check-fleet = Fleet
setup-check-commands = Commands that the recorder will run
setup-check-file = Configuration file
setup-write = Save and start
setup-written = The configuration is saved.
setup-starting = The configuration is saved. The recorder is starting…
# Refused answers. $reason is technical and in English.
setup-refused-address = Enter an address such as https://guide.example/api, without a user name.
setup-refused-tuner = This tuner cannot be used. Check its address and its channel list: { $reason }
setup-refused-tuner-password = The server rejects this user name or password.
setup-refused-folder-path = Enter an absolute path, such as /srv/recordings.
setup-refused-folder-system = This folder belongs to the system. Choose a folder only for recordings.
setup-refused-folder-file = The path leads to a file, not to a folder.
setup-refused-folder-new = This folder does not exist, and cannot be created. Create it on the recorder’s machine.
setup-refused-folder-forbidden = The recorder may not write to this folder. Give it the right to do so, or choose another folder.
setup-refused-folder-full = Too little space is free there. Choose another disk.
setup-refused-written = A configuration file already exists. It was not changed.
setup-refused-invitation = This is no complete invitation. Copy all of it.
setup-refused-fleet = This recorder cannot join the fleet: { $reason }


## Guide service

guide-service-timers = Timers
guide-service-timers-at = As of { $at }
guide-service-no-timers = Not fetched yet
guide-service-trouble = Problem
guide-service-since = Since { $at }
guide-service-again = Sign the recorder in again
guide-service-hint = Use the account of the guide service. The recorder stores a token, not the password.
guide-service-done = Signed in to the guide service.
guide-service-done-until = Signed in to the guide service until { $day }.
# States of the recorder's sign-in.
guide-service-sign-in-needed = sign-in needed
guide-service-unreachable = cannot be reached
guide-service-not-asked = not asked yet
guide-service-signed-in = signed in


## Notifications

# Line below the title: Today 20:15–21:45, ABC
notification-show = { $when }, { $channel }

notification-recorded-title = Recorded: { $name }
notification-damaged-title = Recorded with damage: { $name }
# 97.5 % of the programme was recorded (3.6 GB).
notification-share = { $share } of the programme was recorded ({ $size }).
notification-share-unknown = How much of the programme was recorded is unknown ({ $size }).
notification-errors = { $count ->
    [0] No errors in picture or sound.
    [one] One error in picture or sound.
   *[other] { $count } errors in picture or sound.
}
# $spans: 20:15:30–20:16:00 and 21:00:02–21:00:05
notification-gaps = Missing: { $spans }
notification-gaps-picture = No picture: { $spans }
notification-gaps-sound = No sound: { $spans }

notification-not-recorded-title = Not recorded: { $name }
notification-nothing-left = Picture or sound arrived, but none of it is left on the disk.
notification-missed = The recorder could not start it in time. It may have been switched off.

# Two recordings want the same tuner.
notification-conflict-title = Conflict: { $name }
notification-conflict-busy = No tuner is free at that time.
# $recordings: Tatort (20:15–21:45) and News (20:00–20:15)
notification-conflict-holders = The tuners are needed for: { $recordings }
notification-holder = { $name } ({ $when })
notification-conflict-choice = Choose on the dashboard what to record.

notification-repeat-booked-title = Repeat booked: { $name }
notification-repeat-booked = This repeat will be recorded: { $when }, { $channel }
# The first recording was damaged or missing, and a repeat replaced it.
notification-healed-title = Complete after all: { $name }
notification-healed = This repeat was recorded without damage: { $when }, { $channel }

notification-file-title = A recording is damaged: { $name }
notification-file-changed = The file was changed after it was recorded.
notification-file-truncated = A part of the file is missing.
notification-file-unreadable = The disk cannot read the file.
notification-file-sizes = Its size is { $size } instead of { $whole }.
notification-file-kept = recorderd leaves the file as it is: { $file }

notification-disk-low-title = The disk is nearly full
notification-disk-low = Recordings that do not fit give way to more important ones. Delete recordings that you no longer need.
notification-disk-full-title = The disk is full
notification-disk-full = Nothing is recorded until there is free space. Delete recordings that you no longer need.
notification-disk-offline-title = The disk for recordings is missing
notification-disk-offline = Nothing is recorded until the disk is back.
# The disk with the recorder's own files, not the one with recordings.
notification-reserve-title = The disk of the data folder is full
notification-reserve = The recorder continues with a small reserve. Free some space on this disk.
notification-data-title = The recorder cannot write to its data folder
notification-data = Running recordings continue, but no other recording starts. Check the disk of the data folder.

notification-sign-in-title = Sign-in needed
notification-sign-in = The guide service needs you to sign in on the dashboard. Until then, new timers do not arrive.
notification-guide-failed-title = The guide service cannot be used
notification-guide-failed = This has lasted for { $duration }. Planned recordings continue, but new timers do not arrive.
notification-guide-shrunk-title = The guide service lost timers
notification-guide-shrunk = Its list has only { $listed } of { $held } upcoming timers. The recorder keeps all of them until it is sure that they were deleted.
notification-secrets-title = The secrets file cannot be used
notification-secrets-earlier = The previous passwords are used until the recorder restarts.
notification-secrets-none = Planned recordings continue, but new timers do not arrive, and tuners that need a password do not work.

notification-tuner-title = Tuner { $tuner } does not work
notification-tuner = It failed several times in a row. The plan does not count on it until it works again.
notification-clock-title = The recorder’s clock may be wrong
notification-clock = Check the date and time of the machine. Until they are right, the recorder ends no recording by this clock.
notification-woke-late-title = The machine woke up too late
notification-woke-late-wanted = Planned: { $time }
notification-woke-late-came = Awake: { $time }

# A piece of work took all of the computing time.
notification-set-aside-title = The recorder was blocked and restarted
notification-set-aside-rest = The work that blocked it is skipped for { $duration }.
notification-work-guide-document = Meanwhile, a separate thread reads such documents.
notification-work-guide-list = Meanwhile, the recorder does not fetch this list, and keeps what it already has.
notification-work-decision = This work is not skipped, because recordings depend on it.
notification-work-hook = Meanwhile, the hooks of this recording wait.
notification-work-broadcast-guide = Meanwhile, no programme data is gathered from broadcasts.
notification-work-stored-document = This work is not skipped, because the recorder depends on it.
# $work: a technical name, always in English
notification-set-aside-work = For support: { $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = All tuners were in use.
notification-why-in-use = Another program was using the tuner.
notification-why-channel = The recorder does not know how to receive this channel. Assign it on the page Tuners.
notification-why-none = No tuner can receive this channel.
notification-why-clock = The recorder’s clock was wrong at the time.
notification-why-signal = The tuner has no signal. Check the aerial and its cable.
notification-why-tuner-gone = The tuner does not answer. Check its power and its network.
notification-why-tuner-password = The tuner’s server rejects the password.
notification-why-silent = No picture and no sound arrived.
# A part of the programme was recorded.
notification-why-interrupted = The reception was interrupted.
notification-why-wrong = The tuner delivered another channel.
notification-why-encrypted = The channel is encrypted.
notification-why-excess = The tuner delivered data faster than any broadcast.
notification-why-capture = The recording was interrupted by an error in the recorder.
notification-why-full = The disk was full.
notification-why-write = The recording could not be written to the disk.
notification-why-storage = The disk for recordings did not answer.
notification-why-guide-gone = It does not answer. Check the network and the internet connection.
notification-why-guide-certificate = Its certificate is not valid.
notification-why-guide-errors = It answers with errors.
notification-why-log = The reason is in the recorder’s log.

notification-test-title = Test of recorderd
notification-test = This is a test of recorderd: notifications arrive here.
notification-mail-subject = recorderd: { $title }
# Name of the entity in Home Assistant
notification-entity = News
# Last line of an e-mail: Today 20:15 (Europe/Berlin)
notification-mail-time = { $when } ({ $zone })


## Messages to the guide service

# A guide service shows them beside a timer, in at most 500 letters.
# $tuner: the name of a tuner. $span: 20:05–21:40. $at, $since, $time: a time of day, such as 20:05 or 20:05:30.
report-scheduled = Scheduled on tuner { $tuner }, { $span }.
report-no-tuner = No tuner is free.
report-interrupted = Interrupted.
report-trying = Trying again until the end, { $span }.
# $late: a length, such as 40 s; “none” if it began in time.
report-recording = Recording on tuner { $tuner } since { $since }{ $late ->
    [none] { "" }
   *[other] , { $late } late
}{ $interruptions ->
    [0] { "" }
    [1] , interrupted once
   *[other] , interrupted { $interruptions } times
}.
report-withdrawn = Withdrawn.
report-withdrawn-kept = Withdrawn; the recorded part is kept.
report-order-kept = The earlier booking still applies.
# $reason is technical and in English.
report-not-understood = Not understood: { $reason }

# $figures is a list: 97 % of the event, 3.00 GB, no errors
report-recorded = Recorded{ $verdict ->
    [perfect] , perfect
    [good] , good
    [damaged] , damaged
    [unusable] , unusable
   *[none] { "" }
}: { $figures }.
report-recorded-part = Recorded only in part{ $verdict ->
    [perfect] , perfect
    [good] , good
    [damaged] , damaged
    [unusable] , unusable
   *[none] { "" }
}: { $figures }.
report-recorded-unverified = Recorded, but not verified: { $figures }.
report-share = { $share } % of the event
report-gigabytes = { NUMBER($size, minimumFractionDigits: 2, maximumFractionDigits: 2) } GB
report-megabytes = { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB
report-no-errors = no errors
report-no-clock = { $figures }; the stream has no clock, so the share of the event is unknown
report-plain-name = under a plain name, as the disk refused the full name
report-flaw-continuity = { $count ->
    [one] { $count } continuity error
   *[other] { $count } continuity errors
}
report-flaw-tables = { $count ->
    [one] { $count } error in its tables
   *[other] { $count } errors in its tables
}
report-flaw-transport = { $count ->
    [one] { $count } transport error
   *[other] { $count } transport errors
}
report-flaw-scrambled = { $count ->
    [one] { $count } packet scrambled
   *[other] { $count } packets scrambled
}
report-flaw-clock = { $count ->
    [one] { $count } clock jump
   *[other] { $count } clock jumps
}
report-flaw-damaged = { $count ->
    [one] { $count } damaged packet
   *[other] { $count } damaged packets
}
report-flaw-junk = { $count ->
    [one] { $count } byte of junk
   *[other] { $count } bytes of junk
}
# $spans is a list of times: 20:05:10–20:05:12, 20:14:30–20:45
report-gap = missing { $spans }
report-gap-picture = no picture { $spans } (sound present)
report-gap-sound = no sound { $spans }
report-hollow-picture = the packets of the picture arrived, but cannot be decoded
report-hollow-picture-unchecked = the packets of the picture arrived, but look empty, and ffmpeg could not check them
report-hollow-sound = the packets of the sound arrived, but cannot be decoded
report-hollow-sound-unchecked = the packets of the sound arrived, but look empty, and ffmpeg could not check them
# $name: language and codec of a second picture or sound, such as deu, AC-3
report-track-picture = additional picture ({ $name }) missing { $spans }
report-track-picture-never = additional picture ({ $name }) announced but never sent
report-track-sound = additional sound ({ $name }) missing { $spans }
report-track-sound-never = additional sound ({ $name }) announced but never sent

# $why, $trouble: whole sentences. English has no use for report-tuner-trouble: its sentences name the tuner.
report-not-recorded = Not recorded: { $why }
report-tuner-trouble = Tuner { $tuner }: { $trouble }
report-details = ({ $details })
# Labels with values of a trouble, at the end of messages and in notifications.
trouble-value-file = File: { $file }
trouble-value-system = Error code: { $code }
trouble-value-free = Free on the disk: less than { $size }
trouble-value-silent = Time without reception: { $length }
trouble-value-clock-ahead = The clock was ahead by: { $by }
trouble-value-clock-behind = The clock was behind by: { $by }
trouble-value-message = Message of the program: { $message }
report-nothing-left = Not recorded: picture or sound arrived, but none of it is left on the disk.
report-nothing-arrived = Not recorded: no picture and no sound arrived.
report-too-late = Not recorded: its time passed before it could start.
report-was-asleep = Not recorded: the recorder was asleep { $span }.
report-was-off = Not recorded: the recorder was off { $span }.
report-storage-offline = Ended; storage offline since { $at }. The recorder finishes the file when the storage is back.
report-storage-slow = Ended; the storage has not answered since { $at }, so the file is not finished yet.
report-node-away = Ended; another recorder has a part of it, and has been off since { $at }. The file will be finished when that machine runs again.
report-unfinished = Ended; the recorder has been trying to finish the file since { $at }: { $why }

# $held is a list: sat1 records “News” 20:05–21:40; sat2 records “Tatort” 20:15–21:45
report-conflict = Conflict, no tuner is free.
report-conflict-held = Conflict, no tuner is free: { $held }.
report-holder = { $tuner } records “{ $name }” { $span }
report-remedy-withdraw = Without “{ $name }” it would be recorded.
report-remedy-priority = With priority { $priority } it would be recorded.
report-remedy-priority-loses = With priority { $priority } it would be recorded, but these would lose a part: { $names }.
report-remedy-tuner = One more tuner like { $tuner } would record it.
report-remedy-none = No single change would help: neither cancelling another recording, nor a higher priority, nor one more tuner.
# $day: Thu 26 Nov
report-remedy-repeat = Its repeat on { $day } { $time } on { $channel } would be recorded.
report-repeat-booked = Its repeat on { $day } { $time } on { $channel } is booked.
report-repeat-healed = It was recorded whole on { $day } { $time } on { $channel }.
# $code: the technical name of an error, always in English
report-doubt = Uncertain: tuner { $tuner } has not worked since { $since } ({ $code }), but the recorder tries it.
report-trim-start = Only in part, from { $at } on, as no tuner is free before.
report-trim-start-held = Only in part, from { $at } on, as no tuner is free before: { $held }.
# $parts is a list of the next three. $name: a title in quotes, or “another recording”.
report-trim = Padding trimmed: { $parts }.
report-trim-before = { $length } less before, after { $name }
report-trim-after = { $length } less after, for { $name }
report-trim-late = begins up to { $length } late, after { $name }
report-title = “{ $name }”
report-another = another recording
report-day = { $weekday } { $date }

# Lists of any length: of items, of items with commas, of sentences
report-items = { $before }, { $next }
report-groups = { $before }; { $next }
report-sentences = { $before } { $next }
`;
