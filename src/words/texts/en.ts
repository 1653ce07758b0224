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

programme-title = Programme
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


## Show

show-channel = Channel
show-time = Time
show-episode = Episode
show-episode-of-season = Season { $season }, episode { $episode }
show-categories = Categories
# What the recorder last reported to the guide service.
show-reported = Reported status
show-watch = Watch
show-record = Record
# Notice after a click on Record.
show-booked = Booked.
show-cancel = Cancel the recording
show-cancelled = Cancelled.
show-series = Record the whole series
show-series-booked = Every episode will be recorded, once. See Series.
show-favourite = Add to favourites
show-favourite-added = Added to favourites. See Series.
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

series-title = Series
series-recorded = Recorded series
series-recorded-hint = Every episode is recorded, once.
series-none = None yet. Choose a show in the programme and record its whole series.
series-keywords = Keywords
series-keywords-hint = Every show with all these words in its title is recorded, each episode once.
series-words = Words
series-add = Add
series-keyword-added = Keyword added.
series-favourites = Favourites
series-no-favourites = None yet.
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


## Channels and listings

channels-title = Channels
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
channels-without-triplet = Added as a channel without a triplet: recorders cannot tune to it.
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
    [0] no flaws
    [one] 1 flaw
   *[other] { $flaws } flaws
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
   *[other] A flaw
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
reception-none-yet = The recorder has not fetched the guide's channels yet.
reception-all = { $count ->
    [one] The only channel of the guide is received.
   *[other] All { $count } channels of the guide are received.
}
reception-some = { $missing } of { $count } channels of the guide are received by no tuner.
reception-missing = Received by no tuner
reception-missing-list = Channels received by no tuner
# $reason is technical and in English.
reception-why = { $name }: { $reason }
reception-service = Service of { $name }
reception-assign = Assign { $name }
reception-assigned = { $name } is { $service } now.
reception-watch-live = Watch live
reception-list = Received channels
# $channel: number and name.
reception-watch = Watch { $channel }
reception-by-hand = Assigned by hand
reception-is = { $name }: { $service }
reception-automatic = Match { $name } automatically
reception-automatic-done = { $name } is matched automatically again.


## Devices

devices-title = Devices
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

users-title = Users
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
users-given = { $name } has these rights now and must sign in again.
users-remove = Remove
users-remove-question = Remove { $name }? The user and all its boxes are signed out at once. Timers and rules stay.
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
sign-in-no-account = There is no account yet. To create it, open the link in the file <code>first-account</code> of the server's data folder, which only its owner can read.
sign-in-first-account = There is no account yet. Create one for your household. Recorders and boxes also sign in with it.
sign-in-another-account = Create an account for your household. Recorders and boxes also sign in with it.
sign-in-no-user = No user has a password yet.
sign-in-no-password = No password?
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = <code>recorderd web open</code> on the recorder's machine prints a link that signs a browser in. <code>recorderd web password NAME</code> sets the password of a user.
sign-in-not-set-up = This recorder is not set up yet. <code>recorderd setup --web</code> has printed a link in its terminal or log. The code is the part after <code>#link=</code>. It works once.
sign-in-code = Code
sign-in-continue = Continue
request-no-answer = The recorder does not answer.
# An HTTP status: 500
request-refused = The recorder answered with status { $status }.


## Setting up

# Title of the window.
setup-page = Set-up
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
setup-time-zone = Time zone
setup-device = What this recorder records
setup-device-new = Timers of a new device: this recorder is registered with the service
setup-device-all = Timers of all devices of the account
setup-device-one = Timers of { $device }
setup-tuners-used = Tuners that will be used
setup-tuner = { $kind }, { $place }
setup-tuner-trying = Testing its reception…
setup-tuner-untried = Not tested yet.
setup-tuner-works = Works: picture or sound of { $channel } after { $time }. It offers { $received } of the { $count } channels of the guide.
setup-tuner-sign-in = Its server needs a user and a password, or rejects the given ones.
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
setup-tuner-silent = { $channel }: no picture and no sound came.
# $reason is technical and in English.
setup-tuner-not-received = { $channel } is not received: { $reason }
setup-tuner-user = User of { $place }
setup-tuner-password = Password at { $place }
setup-tuner-sign-in-verb = Sign in at { $id }
setup-tuner-try = Test { $id } again
setup-tuner-remove = Remove { $id }
setup-tuner-removed = Removed.
setup-look = Search for tuners
setup-looked = The search is finished.
setup-found-none = No card is in the machine, and no server answers on its networks.
setup-found = Tuners that were found
# $tuner: kind, address and name of a tuner that was found.
setup-use = Use { $tuner }
setup-add-by-hand = Add a tuner by its address
setup-add = Add and test
setup-kind = Kind of tuner
setup-channel-list = Channel list, a file on the recorder's machine
setup-channel-list-optional = Channel list, a file on the recorder's machine (optional)
setup-simulator = Try recorderd without a tuner
setup-simulator-hint = The simulated broadcaster replaces the aerial. Start it with <code>recorderd broadcaster</code>.
setup-simulator-add = Add the simulator
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = SAT>IP server
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Enigma2 receiver
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = DVB card of the recorder's machine
setup-kind-file = Transport stream file
setup-kind-mock = Simulated broadcaster
setup-place-hdhomerun = Address of the device
setup-place-satip = Name or address of the server
setup-place-tvheadend = Address of the server
setup-place-enigma2 = Address of the receiver
setup-place-mirakurun = Address of the server
setup-place-dvb = Number of the card
setup-place-file = Path of the file
setup-place-mock = Address of the broadcaster
setup-folder = Folder for recordings, on the recorder's machine
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
setup-check-file = Configuration file
setup-write = Save and start
setup-written = The configuration is written.
setup-starting = The configuration is written. The recorder is starting…


## Guide service

guide-service-title = Guide service
guide-service-timers = Timers
guide-service-timers-at = As of { $at }
guide-service-no-timers = Not fetched yet
guide-service-trouble = In trouble
guide-service-since = Since { $at }
guide-service-reports = Reports waiting
guide-service-again = Sign the recorder in again
guide-service-hint = Use the account of the guide service. The recorder stores a token, not the password.
guide-service-done = Signed in with the guide service.
guide-service-done-until = Signed in with the guide service until { $day }.
# States of the recorder's sign-in.
guide-service-sign-in-needed = sign-in needed
guide-service-unreachable = cannot be reached
guide-service-not-asked = not asked yet
guide-service-signed-in = signed in


## Notifications


## Messages to the guide service
`;
