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
frame-colours = Colours: { $theme ->
    [light] light
    [dark] dark
   *[system] as the system
}
frame-language = Language
frame-signed-out = Signed out.
frame-sign-out = Sign out

## Navigation and common parts


## Tonight


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
trouble-title = Troubles
# $at: a day and a time, or a time.
trouble-since = Since: { $at }
trouble-technical = Technical details
trouble-guide-sign-in = The guide service needs a new sign-in. Until then, no new timers arrive. <link>Sign in</link>
trouble-guide-few = { $listed ->
    [one] The guide service lists only 1 timer of { $held }. None is cancelled because of that.
   *[other] The guide service lists only { $listed } timers of { $held }. None is cancelled because of that.
}
trouble-clock = The recorder's clock cannot be trusted. It keeps recording, and sets results once the clock is right.
trouble-clock-behind = The recorder's clock seems to be { $by } behind. Check the date and time of the recorder.
trouble-clock-ahead = The recorder's clock seems to be { $by } ahead. Check the date and time of the recorder.
trouble-data-disk-full = The disk for the recorder's data is full. Running recordings continue; make room on that disk.
trouble-data-disk-low = The disk for the recorder's data is full, and the recorder uses its reserve. Make room on that disk.
trouble-secrets = The recorder cannot read its stored passwords. Planned recordings are not affected.
trouble-secrets-earlier = The recorder cannot read its stored passwords, and uses the earlier ones until it restarts.
trouble-no-answer = The recorder does not answer.
trouble-answer = The recorder could not carry this out (status { $status }).
trouble-other = Something went wrong. The technical details say more.

trouble-no-tuner-free = No tuner is free at this time: other recordings need them all.
trouble-guide-unreachable = The guide service cannot be reached. Check the internet connection; the recorder keeps trying.
trouble-guide-busy = The guide service is not available at the moment. The recorder keeps trying.
trouble-guide-unreadable = The recorder cannot read the answers of the guide service. Check its address in the settings.
trouble-guide-certificate = The connection to the guide service is not secure. Check the recorder's date and the service's certificate.
trouble-guide-set-aside = An answer of the guide service took too long to read. The recorder tries again by itself.
trouble-guide-signed-out = The guide service needs a new sign-in.
trouble-guide-forbidden = The guide service does not allow this for your account.
trouble-guide-not-found = The guide service no longer has this entry.
trouble-guide-refused = The guide service refused this change.
trouble-listing = The TV listings could not be loaded. The earlier listings stay in use.
trouble-channel = The recorder does not know where to receive this channel. Assign it on the page Tuners.
trouble-no-tuner-capable = No tuner receives this channel.
trouble-tuner-busy = Another program uses the tuner.
trouble-no-signal = The tuner receives no signal. Check the aerial and the cable.
trouble-tuner-unreachable = The tuner does not answer. Check that it is on and connected.
trouble-tuner-forbidden = The recorder is not allowed to use the tuner. Give it the right to do so.
trouble-tuner-password = The tuner refuses the stored user name or password.
trouble-tuner-scan = The tuner no longer finds this channel. Scan for channels again.
trouble-stalled = The signal broke off. Check the reception.
trouble-ended = The tuner stopped sending.
trouble-scrambled = The channel is encrypted, and this tuner cannot decrypt it.
trouble-excessive = The tuner sent more data than any broadcast. Check its address.
trouble-capture-died = The recording stopped unexpectedly. The recorder starts it again.
trouble-capture-not-started = The recording could not be started.
trouble-disk-full = The disk for recordings is full. Delete recordings to make room.
trouble-disk-low = The disk for recordings is nearly full. Delete recordings to make room.
trouble-write-failed = The recorder cannot write to the disk for recordings. Check the disk.
trouble-disk-missing = The disk for recordings is missing. Connect it; recording then continues by itself.
trouble-disk-slow = The disk for recordings does not answer in time. Check the disk or the file server.
trouble-file-unreadable = The file cannot be read.
trouble-file-foreign = Another program changed or replaced the file.
trouble-recording-unknown = This recording does not exist any more.
trouble-recording-protected = The recording is protected. Remove the protection first.
trouble-index = Jumping is not possible in this recording yet. Play it from the beginning.
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
file-unproven = not proven

# Sentences about one recording.
result-planned = It will be recorded: { $when }.
result-partly = Only a part will be recorded: { $when }.
result-conflicted = It will not be recorded.
result-tuning = The recording is starting.
result-waiting = The recorder keeps trying until { $stop }.
result-recording = Recording now, until { $stop }.
result-closing = The recording is over, and the file is being finished.
result-completed = The recording is complete.
result-perfect = Recorded completely, without a fault.
result-good = Recorded completely.
result-damaged = Recorded with faults: { $share } of the programme is there.
result-unusable = The recording is unusable: only { $share } of the programme is there.
result-partial = Only a part was recorded: { $share } of the programme.
result-unverified = Recorded, but how much of the programme is there is not known.
result-failed = Nothing was recorded.
result-missed = It was not recorded: its time has passed.
result-cancelled = It was cancelled.
result-clock = The recorder's clock is not trusted. The result follows once the clock is right.
result-doubt = Tuner { $tuner } has been failing since { $at }. The recording will be attempted anyway.
result-doubt-plain = Its tuner has been failing. The recording will be attempted anyway.
# $lost: a length, such as 7 min.
result-late = The first { $lost } of the programme are not recorded: no tuner is free before { $from }.
result-less-before = The extra time before it is { $lost } shorter: another recording needs the tuner.
result-less-after = The extra time after it is { $lost } shorter: another recording needs the tuner.
result-seam = It may begin up to { $lost } late: the tuner changes over from another recording.
result-no-errors = No reception errors.
result-errors = { $count ->
    [one] 1 reception error.
   *[other] { $count } reception errors.
}
# $spans: times of day with seconds.
result-missing = Missing: { $spans }
result-storage-missing = The disk has been missing since { $at }. The file is finished when it is back.
result-storage-slow = The disk has not answered since { $at }, so the file is not finished yet.
result-storage-failed = The file could not be finished since { $at }. The recorder keeps trying.
repeat-booking = Its repeat is being booked: { $at } on { $channel }.
repeat-again = The repeat could not be booked yet, and the recorder tries again.
repeat-booked = Its repeat is booked: { $at } on { $channel }.
repeat-needless = It is complete: its repeat is not needed.
repeat-healed = It was recorded completely at its repeat.
repeat-moved = Its repeat is recorded instead: { $at } on { $channel }.
repeat-given-up = Its repeat did not replace it.
repeat-not-booked = No repeat was booked.


## Details of a recording

detail-episode = Season { $season }, episode { $episode }
detail-channel = Channel
detail-event = Programme
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
    [one] { $size } in 1 part
   *[other] { $size } in { $parts } parts
}
detail-of-event = Of the programme
detail-of-window = Including padding
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share } ({ $length })
detail-lost-packets = Lost packets
detail-damaged-packets = Damaged packets
detail-encrypted-packets = Encrypted packets
detail-file = File
detail-wrong = Wrong with it
detail-compared = Compared
detail-compared-at = { $verdict }, { $at }
detail-deleted-person = It was deleted by request.
detail-deleted-retention = It was deleted to make room.
detail-deleted-repeat = It was deleted: a complete repeat has replaced it.
detail-delete = Delete
detail-delete-ask = Delete the recording? This cannot be undone.
detail-delete-verb = Delete for good
detail-delete-done = Deleted.
detail-protect = Protect
detail-protect-done = Protected: it is not removed to make room.
detail-unprotect = Do not protect
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
detail-padding-done = The padding is changed at the guide service.
detail-priority-change = Change priority
detail-priority-done = The plan is being updated.
detail-cancel = Cancel
detail-cancel-ask = Cancel it at the guide service? The part recorded so far stays.
detail-cancel-verb = Cancel the timer
detail-cancel-done = Cancelled.


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
happened-technical = For engineers, in English. Times are of the zone { $zone }.
happened-technical-plain = For engineers, in English. Times in the sentences are of the recorder's zone.
# Stands for a value that an earlier version did not keep.
happened-unknown = unknown
# $since: a day and a time.
happened-started = The recorder started. Off since: { $since }
happened-clock-forward = The recorder's clock was set forward by { $by }.
happened-clock-back = The recorder's clock was set back by { $by }.
happened-clock-not-trusted = The recorder's clock was not trusted from here on. No recording was ended because of it.
happened-clock-trusted = The recorder's clock was trusted again.
happened-asleep = The recorder was asleep: { $when }.
happened-off = The recorder was off: { $when }.
happened-ordered = Booked: { $name } on { $channel }, { $when }.
happened-order-changed = The programme was moved: { $when }.
happened-priority = The priority was changed to { $priority }.
happened-padding = The padding was changed to { $before } min before and { $after } min after.
happened-override-removed = The recorder's own priority and padding were removed.
happened-repeat-ordered = The repeat is being booked: { $at } on { $channel }.
happened-repeat-booked = The repeat is booked.
happened-repeat-delayed = The repeat could not be booked yet. The recorder asks again.
happened-repeat-cancelling = The timer is being cancelled: its repeat replaces it.
happened-repeat-dropping = The recording is complete, so its repeat is being cancelled.
happened-repeat-moved = The repeat is recorded instead.
happened-repeat-healed = The repeat was recorded completely.
happened-repeat-needless = The repeat is no longer needed.
happened-repeat-given-up = The repeat did not replace it.
happened-absent = The guide service no longer lists the timer, so it counts as cancelled.
happened-not-understood = The guide service's entry could not be read.
happened-placed = Planned on tuner { $tuner }.
happened-tuner-changed = Planned on tuner { $tuner } instead.
happened-displaced = It lost its place in the plan.
happened-trimmed = Planned with less padding, or in part.
happened-conflict = It had no place in the plan.
happened-held-back = It was due, but could not start yet.
happened-flowing = Recording began on tuner { $tuner }.
happened-doubted = The recording seemed to fail, so a second one began on tuner { $tuner }.
happened-relieved = The recording continues on tuner { $tuner }.
happened-followed = The recording follows the broadcast, until { $stop }.
happened-lease-taken = Tuner { $tuner } was taken from another use.
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
happened-deleted-person = It was deleted by request.
happened-deleted-retention = It was deleted to make room.
happened-deleted-repeat = It was deleted: a complete repeat has replaced it.
happened-file-gone = Another program removed the file.
happened-file-back = The file is back.
happened-file-damaged = The file was damaged after the recording.
happened-file-sound = The file is intact again.
happened-report-refused = The guide service refused the report.


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
