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
notification-data-title = The data folder cannot be written
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
notification-woke-late-title = The machine woke too late
notification-woke-late-wanted = Planned: { $time }
notification-woke-late-came = Awake: { $time }

# A piece of work took all of the computing time.
notification-set-aside-title = The recorder was blocked and restarted
notification-set-aside-rest = The work that blocked it is left alone for { $duration }.
notification-work-guide-document = Meanwhile, a separate thread reads such documents.
notification-work-guide-list = Meanwhile, the recorder does not fetch this list, and keeps what it already has.
notification-work-decision = This work is not skipped, because recordings depend on it.
notification-work-hook = Meanwhile, the hooks of this recording wait.
notification-work-broadcast-guide = Meanwhile, no programme data of the broadcast is gathered.
notification-work-stored-document = This work is not skipped, because the recorder depends on it.
# $work: a technical name, always in English
notification-set-aside-work = For support: { $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = All tuners were in use.
notification-why-channel = The recorder does not know how to receive this channel. Assign it on the page Tuners.
notification-why-none = No tuner can receive this channel.
notification-why-signal = The tuner has no signal. Check the aerial and its cable.
notification-why-tuner-gone = The tuner does not answer. Check its power and its network.
notification-why-tuner-password = The tuner’s server rejects the password.
notification-why-silent = No picture and no sound arrived.
# A part of the programme was recorded.
notification-why-interrupted = The reception was interrupted.
notification-why-wrong = The tuner delivered another channel.
notification-why-encrypted = The channel is encrypted.
notification-why-excess = The tuner delivered more data than a channel can have.
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
`;
